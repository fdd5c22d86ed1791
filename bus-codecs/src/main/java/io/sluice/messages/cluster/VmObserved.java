package io.sluice.messages.cluster;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.util.Objects;
import java.util.Optional;

/**
 * A VM exists, with all that ledger, agent and monitor use of it.
 *
 * @param vm its id
 * @param version grows with each change of the VM object; an older observation is dropped
 * @param pod the uid of the pod it runs in, which is the id of its reservation; empty while that pod is unknown
 * @param podName that pod's name; empty while there is none
 * @param node where it runs; empty while it runs nowhere
 * @param phase its phase
 * @param autoscaled whether an agent should scale it: it has the label for it and names the configured scheduler
 * @param migratable whether it may be moved away from a full node
 * @param alwaysMigrate whether it is moved whenever that is possible, for tests
 * @param sizes its bounds, its requested size and its actual size
 * @param overcommit how its charge on the node is divided
 * @param overrides scaling config of its annotation
 * @param currentRevision the last goal that its status shows as reached; empty until there was one
 * @param approved what the ledger last approved, by its annotation; empty until there was one
 * @param fence the fence in its annotation, {@code runner+version/n}; empty until a runner claimed it
 * @param metrics where its metrics are scraped; empty while it has no address
 * @param fileCache where the metrics of its file cache are scraped; empty while it has no address
 * @param monitor where its monitor listens; empty while it has no address
 * @param traits further properties, for operators, metrics and bills
 * @param deferred what its kubelet has no room for now, of the growth that its spec has; none of a VM that is no pod
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
        VmTraits traits,
        Resources deferred) {
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
        Objects.requireNonNull(deferred, "deferred");
    }

    /** Of a VM of which no growth is deferred. */
    public VmObserved(
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
        this(
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
                fileCache,
                monitor,
                traits,
                Resources.NONE);
    }

    /** The same observation with other traits and another file cache endpoint. */
    public VmObserved with(Optional<Endpoint> newFileCache, VmTraits newTraits) {
        return with(newFileCache, newTraits, deferred);
    }

    /** The same observation with what is deferred. */
    public VmObserved deferring(Resources newDeferred) {
        return with(fileCache, traits, newDeferred);
    }

    private VmObserved with(Optional<Endpoint> newFileCache, VmTraits newTraits, Resources newDeferred) {
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
                newTraits,
                newDeferred);
    }
}
