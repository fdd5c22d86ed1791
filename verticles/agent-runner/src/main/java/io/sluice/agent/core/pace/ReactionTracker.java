package io.sluice.agent.core.pace;

import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When the goal was first raised to a size that is not reached yet: how long a VM waits for what its sample or upscale
 * request required.
 */
public final class ReactionTracker {
    private static final int KEPT_MAX = 16;

    private final List<Raise> raises = new ArrayList<>();

    private record Raise(Resources desired, Instant at, boolean byLoad) {}

    /**
     * Takes in the size that the VM should have now.
     *
     * @param byLoad whether it follows from a sample or an upscale request; other raises are not measured
     */
    public void record(Resources desired, Resources using, Instant at, boolean byLoad) {
        if (!desired.exceeds(using)) {
            raises.clear();
            return;
        }
        boolean covered = raises.stream().anyMatch(raise -> !desired.exceeds(raise.desired()));
        if (!covered && raises.size() < KEPT_MAX) {
            raises.add(new Raise(desired, at, byLoad));
        }
    }

    /** When {@code target} was first required, if by a sample or an upscale request. */
    public Optional<Instant> since(Resources target) {
        return raises.stream()
                .filter(raise -> !target.exceeds(raise.desired()))
                .findFirst()
                .filter(Raise::byLoad)
                .map(Raise::at);
    }

    /** The VM was patched to {@code size}: raises to no more than that are complete. */
    public void reached(Resources size) {
        raises.removeIf(raise -> !raise.desired().exceeds(size));
    }
}
