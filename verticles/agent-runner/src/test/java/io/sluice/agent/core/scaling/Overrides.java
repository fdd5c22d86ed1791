package io.sluice.agent.core.scaling;

import io.sluice.messages.cluster.ScalingOverrides;
import java.util.Optional;

/** Overrides of the scaling config for VMs in tests. */
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
