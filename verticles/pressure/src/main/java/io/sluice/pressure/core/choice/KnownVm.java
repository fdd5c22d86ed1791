package io.sluice.pressure.core.choice;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.units.VmId;
import java.util.Objects;

/**
 * The last observation of a VM.
 *
 * @param id its id
 * @param version of the observation
 * @param pod the uid of the pod that it runs in; empty while that is unknown
 * @param podName that pod's name; empty while there is none
 * @param node the node on which it runs; empty while it runs nowhere
 * @param phase its phase
 * @param overcommit the factor by which its charge is divided
 * @param alwaysMigrate whether it is migrated whenever that is possible
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

    /** The VM in an observation. */
    public static KnownVm of(VmObserved observed) {
        return new KnownVm(
                observed.vm(),
                observed.version(),
                observed.pod(),
                observed.podName(),
                observed.node(),
                observed.phase(),
                observed.overcommit(),
                observed.alwaysMigrate());
    }

    /** Whether its driver reports that it migrates. */
    public boolean inMigration() {
        return phase.locked();
    }
}
