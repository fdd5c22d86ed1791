package io.sluice.bus;

import io.sluice.codecs.FullListPublishedCodec;
import io.sluice.codecs.ListerWithoutViewCodec;
import io.sluice.codecs.MigrationGoneCodec;
import io.sluice.codecs.MigrationObservedCodec;
import io.sluice.codecs.NodeGoneCodec;
import io.sluice.codecs.NodeObservedCodec;
import io.sluice.codecs.PodGoneCodec;
import io.sluice.codecs.PodObservedCodec;
import io.sluice.codecs.RelistRequestCodec;
import io.sluice.codecs.VmGoneCodec;
import io.sluice.codecs.VmObservedCodec;
import io.sluice.codecs.VmsWatchedCodec;
import io.sluice.messages.cluster.FullListPublished;
import io.sluice.messages.cluster.ListerWithoutView;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.RelistRequest;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmsWatched;

/** Where facts about the cluster are heard, and asked to be said again. */
public final class ClusterAddresses {
    /** A node exists, or changed. */
    public static final EventAddress<NodeObserved> NODE_SEEN =
            new EventAddress<>("cluster.node-seen", new NodeObservedCodec());

    /** A node is no longer there. */
    public static final EventAddress<NodeGone> NODE_GONE = new EventAddress<>("cluster.node-gone", new NodeGoneCodec());

    /** A pod is bound, or changed. */
    public static final EventAddress<PodObserved> POD_SEEN =
            new EventAddress<>("cluster.pod-seen", new PodObservedCodec());

    /** A pod ended. */
    public static final EventAddress<PodGone> POD_GONE = new EventAddress<>("cluster.pod-gone", new PodGoneCodec());

    /** A VM exists, or changed. */
    public static final EventAddress<VmObserved> VM_SEEN = new EventAddress<>("cluster.vm-seen", new VmObservedCodec());

    /** A VM was deleted. */
    public static final EventAddress<VmGone> VM_GONE = new EventAddress<>("cluster.vm-gone", new VmGoneCodec());

    /** A VM is to be moved, or that changed. */
    public static final EventAddress<MigrationObserved> MIGRATION_SEEN =
            new EventAddress<>("cluster.migration-seen", new MigrationObservedCodec());

    /** A migration is no longer there. */
    public static final EventAddress<MigrationGone> MIGRATION_GONE =
            new EventAddress<>("cluster.migration-gone", new MigrationGoneCodec());

    /** Changes of VMs are being heard of. */
    public static final EventAddress<VmsWatched> VMS_WATCHED =
            new EventAddress<>("cluster.vms-watched", new VmsWatchedCodec());

    /** A full listing is through. */
    public static final EventAddress<FullListPublished> LISTED =
            new EventAddress<>("cluster.listed", new FullListPublishedCodec());

    /** A process does not see the whole cluster, and would have another lead. */
    public static final EventAddress<ListerWithoutView> LISTER_BLIND =
            new EventAddress<>("cluster.lister-blind", new ListerWithoutViewCodec());

    /** Somebody has just started to listen and wants every fact again. */
    public static final EventAddress<RelistRequest> RESYNC_WANTED =
            new EventAddress<>("cluster.resync-wanted", new RelistRequestCodec());

    private ClusterAddresses() {}
}
