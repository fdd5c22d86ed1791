package io.sluice.bus;

import io.sluice.codecs.cluster.FullListPublishedCodec;
import io.sluice.codecs.cluster.ListerWithoutViewCodec;
import io.sluice.codecs.cluster.MigrationGoneCodec;
import io.sluice.codecs.cluster.MigrationObservedCodec;
import io.sluice.codecs.cluster.NodeGoneCodec;
import io.sluice.codecs.cluster.NodeObservedCodec;
import io.sluice.codecs.cluster.PodGoneCodec;
import io.sluice.codecs.cluster.PodObservedCodec;
import io.sluice.codecs.cluster.RelistRequestCodec;
import io.sluice.codecs.cluster.SchedulingChangeCodec;
import io.sluice.codecs.cluster.VmGoneCodec;
import io.sluice.codecs.cluster.VmObservedCodec;
import io.sluice.codecs.cluster.VmsWatchedCodec;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.ListerWithoutView;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.SchedulingChange;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmsWatched;

/** Observations of the Kubernetes cluster, and requests to publish them again. */
public final class ClusterAddresses {
    /** A node was created or changed. */
    public static final EventAddress<NodeObserved> NODE_OBSERVED =
            new EventAddress<>("cluster.node-seen", new NodeObservedCodec());

    /** A node was deleted. */
    public static final EventAddress<NodeGone> NODE_GONE = new EventAddress<>("cluster.node-gone", new NodeGoneCodec());

    /** A pod was bound or changed. */
    public static final EventAddress<PodObserved> POD_OBSERVED =
            new EventAddress<>("cluster.pod-seen", new PodObservedCodec());

    /** A pod that is not bound to a node was created or changed; its observation has an empty node. */
    public static final EventAddress<PodObserved> POD_PENDING =
            new EventAddress<>("cluster.pod-pending", new PodObservedCodec());

    /** A pod was deleted or reached a terminal phase. */
    public static final EventAddress<PodGone> POD_GONE = new EventAddress<>("cluster.pod-gone", new PodGoneCodec());

    /** A VM was created or changed. */
    public static final EventAddress<VmObserved> VM_OBSERVED =
            new EventAddress<>("cluster.vm-seen", new VmObservedCodec());

    /** A VM was deleted. */
    public static final EventAddress<VmGone> VM_GONE = new EventAddress<>("cluster.vm-gone", new VmGoneCodec());

    /** A migration was created or changed. */
    public static final EventAddress<MigrationObserved> MIGRATION_OBSERVED =
            new EventAddress<>("cluster.migration-seen", new MigrationObservedCodec());

    /** A migration was deleted. */
    public static final EventAddress<MigrationGone> MIGRATION_GONE =
            new EventAddress<>("cluster.migration-gone", new MigrationGoneCodec());

    /** The watch on VMs is up to date. */
    public static final EventAddress<VmsWatched> VMS_WATCHED =
            new EventAddress<>("cluster.vms-watched", new VmsWatchedCodec());

    /** A full list was published. */
    public static final EventAddress<FullListPublished> LISTED =
            new EventAddress<>("cluster.listed", new FullListPublishedCodec());

    /** A process does not observe the whole Kubernetes cluster and asks for another leader. */
    public static final EventAddress<ListerWithoutView> LISTER_BLIND =
            new EventAddress<>("cluster.lister-blind", new ListerWithoutViewCodec());

    /** A consumer has just started and requests every observation again. */
    public static final EventAddress<RelistRequest> RELIST_WANTED =
            new EventAddress<>("cluster.resync-wanted", new RelistRequestCodec());

    /** A change of what scheduling reads, while a process places pods without kube-scheduler. */
    public static final EventAddress<SchedulingChange> SCHEDULING =
            new EventAddress<>("cluster.scheduling", new SchedulingChangeCodec());

    private ClusterAddresses() {}
}
