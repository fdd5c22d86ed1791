package io.sluice.messages.cluster;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.util.Objects;
import java.util.Optional;

/**
 * A VM exists, with everything that ledger, agent and monitor need to know of it.
 *
 * @param vm its id
 * @param version grows with each change of the VM object; an older fact is dropped
 * @param pod the uid of the pod it runs in, as the ledger knows it; empty while that pod is unknown
 * @param podName that pod's name; empty while there is none
 * @param node where it runs; empty while it runs nowhere
 * @param phase where it is in its life
 * @param autoscaled whether an agent should scale it: labelled for it, and naming our scheduler
 * @param migratable whether it may be moved away from a full node
 * @param alwaysMigrate whether it is moved whenever that is possible, for tests
 * @param sizes what it is, was told to be, and may be
 * @param overcommit how its charge on the node is divided
 * @param overrides what its annotation says of the scaling config
 * @param currentRevision the last goal that its status shows as reached; empty until there was one
 * @param approved what the ledger last approved, by its annotation; empty until there was one
 * @param fence who may patch it, by its annotation: {@code runner+version/n}; empty until a runner claimed it
 * @param metrics where its metrics answer; empty while it has no address
 * @param fileCache where the metrics of its file cache answer; empty while it has no address
 * @param monitor where its monitor answers; empty while it has no address
 * @param traits what people want to know of it besides
 */
public record VmObserved(
        VmId vm,
        long version,
        String pod,
        String podName,
        String node,
        VmPhase phase,
        boolean autoscaled,
        boolean migratable,
        boolean alwaysMigrate,
        VmSizes sizes,
        Overcommit overcommit,
        ScalingOverrides overrides,
        Optional<Revision> currentRevision,
        Optional<Resources> approved,
        String fence,
        Optional<Endpoint> metrics,
        Optional<Endpoint> fileCache,
        Optional<Endpoint> monitor,
        VmTraits traits) {
    public VmObserved {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(podName, "podName");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(sizes, "sizes");
        Objects.requireNonNull(overcommit, "overcommit");
        Objects.requireNonNull(overrides, "overrides");
        Objects.requireNonNull(currentRevision, "currentRevision");
        Objects.requireNonNull(approved, "approved");
        Objects.requireNonNull(fence, "fence");
        Objects.requireNonNull(metrics, "metrics");
        Objects.requireNonNull(fileCache, "fileCache");
        Objects.requireNonNull(monitor, "monitor");
        Objects.requireNonNull(traits, "traits");
    }

    /** The same fact with what came to be told of VMs later. */
    public VmObserved with(Optional<Endpoint> newFileCache, VmTraits newTraits) {
        return new VmObserved(
                vm,
                version,
                pod,
                podName,
                node,
                phase,
                autoscaled,
                migratable,
                alwaysMigrate,
                sizes,
                overcommit,
                overrides,
                currentRevision,
                approved,
                fence,
                metrics,
                newFileCache,
                monitor,
                newTraits);
    }
}
