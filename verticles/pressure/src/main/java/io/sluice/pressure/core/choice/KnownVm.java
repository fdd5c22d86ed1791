package io.sluice.pressure.core.choice;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.units.VmId;
import java.util.Objects;

/**
 * What is known of a VM beside the books.
 *
 * @param id its id
 * @param version of the fact that told it
 * @param pod the uid of the pod it runs in; empty while that is unknown
 * @param podName that pod's name; empty while there is none
 * @param node where it runs; empty while it runs nowhere
 * @param phase where it is in its life
 * @param overcommit how its charge is divided
 * @param alwaysMigrate whether it is moved whenever that is possible
 */
public record KnownVm(
        VmId id,
        long version,
        String pod,
        String podName,
        String node,
        VmPhase phase,
        Overcommit overcommit,
        boolean alwaysMigrate) {
    public KnownVm {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(podName, "podName");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(overcommit, "overcommit");
    }

    /** As a fact shows it. */
    public static KnownVm of(VmObserved seen) {
        return new KnownVm(
                seen.vm(),
                seen.version(),
                seen.pod(),
                seen.podName(),
                seen.node(),
                seen.phase(),
                seen.overcommit(),
                seen.alwaysMigrate());
    }

    /** Whether its driver says that a migration has it. */
    public boolean inMigration() {
        return phase == VmPhase.PRE_MIGRATING || phase == VmPhase.MIGRATING;
    }
}
