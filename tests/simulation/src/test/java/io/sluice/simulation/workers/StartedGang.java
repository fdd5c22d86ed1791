package io.sluice.simulation.workers;

import io.sluice.workers.core.Instance;
import io.sluice.workers.core.InstanceSpec;
import io.sluice.workers.core.InstanceState;
import io.sluice.workers.core.Row;
import io.sluice.workers.core.WorkerFleet;
import java.util.Optional;

/** Instances that start together or not at all: none gets a worker while fewer than required have one. */
final class StartedGang {
    static final InstanceSpec.Gang GANG = new InstanceSpec.Gang("gang", 3);

    private StartedGang() {}

    /**
     * Whether a member gets a worker by this row.
     *
     * @param before the row that it replaces; null if there is none
     */
    static boolean startsMember(Row row, Row before) {
        return row instanceof Row.OfInstance(var instance)
                && instance.spec().gang().equals(GANG)
                && instance.state() == InstanceState.ASSIGNED
                && before instanceof Row.OfInstance(var earlier)
                && earlier.state() == InstanceState.PENDING;
    }

    /** What is wrong once a member got a worker; empty if enough of them have one. */
    static Optional<String> incomplete(WorkerFleet fleet) {
        long together = fleet.instances().stream()
                .filter(instance -> instance.spec().gang().equals(GANG) && isOrdered(instance))
                .count();
        return together < GANG.least()
                ? Optional.of(together + " of a gang of " + GANG.least() + " have a worker")
                : Optional.empty();
    }

    private static boolean isOrdered(Instance instance) {
        return switch (instance.state()) {
            case ASSIGNED, CREATING, RUNNING, UNKNOWN, REPLACED, RECREATING -> true;
            case PENDING, DESTROYING, TERMINATED, FAILED -> false;
        };
    }
}
