package io.sluice.agent.core.runner;

import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * When the goal was first raised to what is not reached yet: how long a VM waits for what its sample or cry asked for.
 */
final class ReactionTracker {
    private static final int KEPT_MAX = 16;

    private final List<Raise> raises = new ArrayList<>();

    private record Raise(Resources desired, Instant at, boolean byLoad) {}

    /**
     * Takes in what the VM should be now.
     *
     * @param byLoad whether a sample or a cry is what this was made from; other raises are not measured
     */
    void note(Resources desired, Resources using, Instant at, boolean byLoad) {
        if (!desired.exceeds(using)) {
            raises.clear();
            return;
        }
        boolean covered = raises.stream().anyMatch(raise -> !desired.exceeds(raise.desired()));
        if (!covered && raises.size() < KEPT_MAX) {
            raises.add(new Raise(desired, at, byLoad));
        }
    }

    /** When {@code target} was first asked for, if by a sample or a cry. */
    Optional<Instant> since(Resources target) {
        return raises.stream()
                .filter(raise -> !target.exceeds(raise.desired()))
                .findFirst()
                .filter(Raise::byLoad)
                .map(Raise::at);
    }

    /** The VM was told to be {@code size}: what asked for no more is done with. */
    void reached(Resources size) {
        raises.removeIf(raise -> !raise.desired().exceeds(size));
    }
}
