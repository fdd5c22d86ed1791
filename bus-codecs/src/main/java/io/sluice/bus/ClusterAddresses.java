package io.sluice.bus;

import io.sluice.codecs.ListedCodec;
import io.sluice.codecs.ListerBlindCodec;
import io.sluice.codecs.MigrationGoneCodec;
import io.sluice.codecs.MigrationSeenCodec;
import io.sluice.codecs.NodeGoneCodec;
import io.sluice.codecs.NodeSeenCodec;
import io.sluice.codecs.PodGoneCodec;
import io.sluice.codecs.PodSeenCodec;
import io.sluice.codecs.ResyncWantedCodec;
import io.sluice.codecs.VmGoneCodec;
import io.sluice.codecs.VmSeenCodec;
import io.sluice.codecs.VmsWatchedCodec;
import io.sluice.messages.cluster.Listed;
import io.sluice.messages.cluster.ListerBlind;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationSeen;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.ResyncWanted;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.cluster.VmsWatched;

/** Where facts about the cluster are heard, and asked to be said again. */
public final class ClusterAddresses {
    /** A node exists, or changed. */
    public static final EventAddress<NodeSeen> NODE_SEEN = new EventAddress<>("cluster.node-seen", new NodeSeenCodec());

    /** A node is no longer there. */
    public static final EventAddress<NodeGone> NODE_GONE = new EventAddress<>("cluster.node-gone", new NodeGoneCodec());

    /** A pod is bound, or changed. */
    public static final EventAddress<PodSeen> POD_SEEN = new EventAddress<>("cluster.pod-seen", new PodSeenCodec());

    /** A pod ended. */
    public static final EventAddress<PodGone> POD_GONE = new EventAddress<>("cluster.pod-gone", new PodGoneCodec());

    /** A VM exists, or changed. */
    public static final EventAddress<VmSeen> VM_SEEN = new EventAddress<>("cluster.vm-seen", new VmSeenCodec());

    /** A VM was deleted. */
    public static final EventAddress<VmGone> VM_GONE = new EventAddress<>("cluster.vm-gone", new VmGoneCodec());

    /** A VM is to be moved, or that changed. */
    public static final EventAddress<MigrationSeen> MIGRATION_SEEN =
            new EventAddress<>("cluster.migration-seen", new MigrationSeenCodec());

    /** A migration is no longer there. */
    public static final EventAddress<MigrationGone> MIGRATION_GONE =
            new EventAddress<>("cluster.migration-gone", new MigrationGoneCodec());

    /** Changes of VMs are being heard of. */
    public static final EventAddress<VmsWatched> VMS_WATCHED =
            new EventAddress<>("cluster.vms-watched", new VmsWatchedCodec());

    /** A full listing is through. */
    public static final EventAddress<Listed> LISTED = new EventAddress<>("cluster.listed", new ListedCodec());

    /** A process does not see the whole cluster, and would have another lead. */
    public static final EventAddress<ListerBlind> LISTER_BLIND =
            new EventAddress<>("cluster.lister-blind", new ListerBlindCodec());

    /** Somebody has just started to listen and wants every fact again. */
    public static final EventAddress<ResyncWanted> RESYNC_WANTED =
            new EventAddress<>("cluster.resync-wanted", new ResyncWantedCodec());

    private ClusterAddresses() {}
}
