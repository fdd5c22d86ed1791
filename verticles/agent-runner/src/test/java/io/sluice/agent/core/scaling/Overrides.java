package io.sluice.agent.core.scaling;

import io.sluice.messages.cluster.ScalingOverrides;
import java.util.Optional;

/** What VMs in tests say of their own scaling config. */
final class Overrides {
    static final ScalingOverrides NONE = ScalingOverrides.NONE;

    private Overrides() {}

    static ScalingOverrides window(int minutes) {
        return new ScalingOverrides(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(minutes),
                Optional.empty(),
                Optional.empty());
    }

    static ScalingOverrides lfc(boolean enabled) {
        return new ScalingOverrides(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(enabled),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
