package io.sluice.bus;

import io.sluice.codecs.ledger.NearestGrantCodec;
import io.sluice.codecs.placement.GangStateCodec;
import io.sluice.codecs.placement.KeptRoomsCodec;
import io.sluice.codecs.placement.ListPendingPodsCodec;
import io.sluice.codecs.placement.NodeRanksCodec;
import io.sluice.codecs.placement.PendingPodListCodec;
import io.sluice.codecs.placement.PlacePodCodec;
import io.sluice.codecs.placement.PlaceReplyCodec;
import io.sluice.codecs.placement.PlacementDecisionCodec;
import io.sluice.codecs.placement.PodGrantQueryCodec;
import io.sluice.codecs.placement.PreemptPodsCodec;
import io.sluice.codecs.placement.RankNodesCodec;
import io.sluice.codecs.placement.RoomWantedCodec;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.placement.KeptRooms;
import io.sluice.messages.placement.ListPendingPods;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.PendingPodList;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.placement.PodGrantQuery;
import io.sluice.messages.placement.PreemptPods;
import io.sluice.messages.placement.RankNodes;
import io.sluice.messages.placement.RoomWanted;
import java.time.Duration;

/** Requests and events about placing pods on nodes. */
public final class PlacementAddresses {
    /** Which nodes could take a pending pod. The pod may still have to be observed, for a second at most. */
    public static final RequestAddress<RankNodes, NodeRanks> RANK = new RequestAddress<>(
            "placement.rank", new RankNodesCodec(), new NodeRanksCodec(), Duration.ofSeconds(3), 1_000);

    /** Where a pending pod would have room after evictions. */
    public static final RequestAddress<PreemptPods, NodeRanks> PREEMPT = new RequestAddress<>(
            "placement.preempt", new PreemptPodsCodec(), new NodeRanksCodec(), Duration.ofSeconds(5), 1_000);

    /** Holds room for a pod on a node and binds it there. A little more than hold and bind may take. */
    public static final RequestAddress<PlacePod, PlaceReply> PLACE = new RequestAddress<>(
            "placement.place", new PlacePodCodec(), new PlaceReplyCodec(), Duration.ofSeconds(15), 1_000);

    /** The pods that wait for a node, or one of them with what each node lacks. */
    public static final RequestAddress<ListPendingPods, PendingPodList> PENDING = new RequestAddress<>(
            "placement.pending", new ListPendingPodsCodec(), new PendingPodListCodec(), Duration.ofSeconds(3), 100);

    /** What would let a node take a pod that waits. A little more than its requests to ledgers may take. */
    public static final RequestAddress<PodGrantQuery, NearestGrant> NEAREST_GRANT = new RequestAddress<>(
            "placement.nearest-grant", new PodGrantQueryCodec(), new NearestGrantCodec(), Duration.ofSeconds(2), 100);

    /** The same by the rules of Kubernetes: a taint, a cordon or a node selector that alone excludes a node. */
    public static final RequestAddress<PodGrantQuery, NearestGrant> EXCLUDED_ALONE = new RequestAddress<>(
            "placement.excluded-alone", new PodGrantQueryCodec(), new NearestGrantCodec(), Duration.ofSeconds(1), 100);

    /** Which pods wait for want of room in the ledger alone, so that others may be evicted for them. */
    public static final EventAddress<RoomWanted> ROOM_WANTED =
            new EventAddress<>("placement.room-wanted", new RoomWantedCodec());

    /** Which rooms are kept for pods for which others were evicted. */
    public static final EventAddress<KeptRooms> NOMINATED =
            new EventAddress<>("placement.nominated", new KeptRoomsCodec());

    /** A decision about a pod that is to be placed, or its arrival without one. */
    public static final EventAddress<PlacementDecision> DECISION =
            new EventAddress<>("placement.decision", new PlacementDecisionCodec());

    /** How far a gang is; published when that changes, and again every few seconds. */
    public static final EventAddress<GangState> GANG = new EventAddress<>("placement.gang", new GangStateCodec());

    /**
     * On which node room for a member of a gang is held; the first member of a gang has room held for all. It may have
     * to wait for the others, and for each ledger.
     */
    public static final RequestAddress<RankNodes, NodeRanks> GANG_NODE = new RequestAddress<>(
            "placement.gang-node", new RankNodesCodec(), new NodeRanksCodec(), Duration.ofSeconds(5), 1_000);

    /** Binds a member of a gang whose room is held. The reply has no reason where the pod is in no gang. */
    public static final RequestAddress<PlacePod, PlaceReply> GANG_PLACE = new RequestAddress<>(
            "placement.gang-place", new PlacePodCodec(), new PlaceReplyCodec(), Duration.ofSeconds(14), 1_000);

    private PlacementAddresses() {}
}
