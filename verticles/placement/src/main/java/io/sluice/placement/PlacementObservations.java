package io.sluice.placement;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.ClusterAddresses;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.placement.core.KeptRoomRules;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PendingPods;
import io.sluice.placement.core.devices.TypicalPods;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.plugins.Utilisation;
import io.sluice.placement.core.utilisation.ProfilerAnnotations;
import io.sluice.placement.core.utilisation.UtilisationTable;
import io.sluice.placement.prometheus.PrometheusReader;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.sluice.shell.load.LiveUse;
import io.sluice.shell.load.NodeUse;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What both entrances of placement observe: pods that wait, the sums of nodes, and what VMs use. It has room kept for
 * pods that wait long.
 */
public final class PlacementObservations {
    /** The most pods that are remembered. */
    public static final int PODS_MAX = 50_000;

    private static final Logger LOG = LoggerFactory.getLogger(PlacementObservations.class);
    private static final int LONGEST_WAITING_MAX = 1_000;
    private static final String ALL_NODES = "";

    private final NodeTable nodes = new NodeTable();
    private final PendingPods pods = new PendingPods(PODS_MAX);
    private final LiveUse live = new LiveUse(PODS_MAX);
    private final TypicalPods typical = new TypicalPods();
    private final UtilisationTable measured = new UtilisationTable();
    private Optional<Utilisation> byUse = Optional.empty();
    private Optional<PrometheusReader> reader = Optional.empty();
    private final KeptRoomRules roomRules = new KeptRoomRules();
    private final InstantSource clock;
    private final Listener listener;
    private final Set<KeptRoom> keptHere = new HashSet<>();

    /** What one entrance does besides. */
    public interface Listener {
        /** A pod waits; {@code false} if there are too many. */
        void waits(PodObserved pod, boolean taken);

        /** A pod was bound that waited for so long. */
        void waited(Duration time);

        /** The sums of a node's ledger were observed. */
        void sums(NodeLedgerView sums);
    }

    public PlacementObservations(InstantSource clock, Listener listener) {
        this.clock = clock;
        this.listener = listener;
    }

    /** The sums of all nodes. */
    public NodeTable nodes() {
        return nodes;
    }

    /** The pods that wait. */
    public PendingPods pods() {
        return pods;
    }

    /** The pods that found no node, those that wait longest first. */
    public List<PendingPods.WithoutNode> longestWaiting() {
        return pods.withoutNode(LONGEST_WAITING_MAX);
    }

    /** Receives observations from now on. */
    public Future<Void> listen(Bus bus) {
        return Future.all(List.of(
                        bus.subscribe(LedgerAddresses.NODE_CHANGED, this::observed),
                        bus.subscribe(ClusterAddresses.NODE_GONE, this::gone),
                        bus.subscribe(ClusterAddresses.POD_PENDING, this::waits),
                        bus.subscribe(ClusterAddresses.POD_OBSERVED, this::bound),
                        bus.subscribe(ClusterAddresses.POD_GONE, this::gone),
                        bus.subscribe(AgentAddresses.STATUS, this::received),
                        bus.subscribe(PlacementAddresses.DECISION, this::decided),
                        bus.subscribe(ClusterAddresses.VM_OBSERVED, pods::observed),
                        bus.subscribe(ClusterAddresses.VM_GONE, this::gone),
                        bus.subscribe(ClusterAddresses.LISTED, fullList -> pods.listed())))
                .mapEmpty();
    }

    private void waits(PodObserved pod) {
        if (!pod.gpus().isNone()) {
            typical.came(pod);
        }
        listener.waits(pod, pods.waits(pod, now()));
    }

    private void bound(PodObserved pod) {
        if (nodes.find(pod.node()).filter(NodeSnapshot::hasDevices).isPresent()) {
            typical.came(pod);
        }
        pods.bound(pod, now()).ifPresent(listener::waited);
    }

    /** What pods mostly request that have GPUs, or run beside them. */
    public TypicalPods typical() {
        return typical;
    }

    /** Applies the sums of a node's ledger. */
    public void observed(NodeLedgerView sums) {
        nodes.observed(sums);
        listener.sums(sums);
    }

    /** What was measured, and the pods since. */
    public UtilisationTable measured() {
        return measured;
    }

    /** Scores nodes from now on; what that needs is read while it is needed. */
    public RoomScore scoreBy(PlacementConfig config, Vertx vertx, Shell shell) {
        reader.ifPresent(PrometheusReader::stop);
        var score = config.score(measured);
        byUse = score instanceof Utilisation utilisation ? Optional.of(utilisation) : Optional.empty();
        reader = byUse.filter(Utilisation::measured)
                .map(used -> new PrometheusReader(
                        vertx,
                        shell,
                        config.utilisation().prometheus(),
                        config.utilisation().period(),
                        measured::measured));
        measured.look(now());
        reader.ifPresent(PrometheusReader::start);
        return score;
    }

    /** How nodes are scored by what was measured on them; empty where they are not. */
    public Optional<Utilisation> byUse() {
        return byUse;
    }

    /** Applies a node's annotations. */
    public void annotated(String node, Map<String, String> annotations) {
        measured.annotated(node, ProfilerAnnotations.node(annotations), now());
        measured.thresholds(node, ProfilerAnnotations.thresholds(annotations));
    }

    /** A pod goes to a node: it counts there before it is measured. */
    public void placing(String node, PodToPlace pod) {
        byUse.ifPresent(utilisation -> measured.placed(node, pod.pod().uid(), utilisation.expected(pod), now()));
    }

    /** Other processes place pods too. */
    private void decided(PlacementDecision decision) {
        switch (decision.kind()) {
            case PLACED -> pods.find(decision.uid()).ifPresent(pod -> placing(decision.node(), pod));
            case NOT_PLACED -> measured.notPlaced(decision.node(), decision.uid());
            case WAITS, ARRIVED, EVICTED, LIMITS_DIFFER -> {}
        }
    }

    private void received(RunnerStatus status) {
        live.received(status, pods.overcommitOf(status.vm().label()), now());
        if (byUse.isPresent()) {
            live.of(status.pod(), now())
                    .ifPresent(used -> measured.recorded(status.vm().label(), used));
        }
    }

    private void gone(NodeGone end) {
        nodes.gone(end.node());
        measured.gone(end.node());
    }

    private void gone(VmGone end) {
        pods.gone(end);
        measured.ended(end.vm().label());
    }

    private void gone(PodGone end) {
        pods.gone(end);
        live.gone(end.uid());
    }

    /** The next snapshot corrects what this one misses. */
    public void readNodes(Bus bus) {
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(ALL_NODES))
                .onSuccess(snapshot -> {
                    snapshot.nodes().forEach(this::observed);
                    nodes.onlyThese(
                            snapshot.nodes().stream().map(NodeLedgerView::node).collect(Collectors.toSet()));
                })
                .onFailure(lost -> LOG.atDebug()
                        .addKeyValue(LogKeys.ERROR, lost.toString())
                        .log("The node ledgers could not be read."));
    }

    /** The use of all nodes' VMs now. */
    public Map<String, NodeUse> use() {
        var use = live.byNode(now());
        nodes.use(use);
        return use;
    }

    /** Ends what is old: rooms without news, and use. */
    public void look() {
        live.prune(now());
        measured.look(now());
        nodes.look(now());
    }

    /** Decides which rooms are kept, and requests that of the ledger. Only one process at a time does so. */
    public void keepRooms(Bus bus, PodBinder binder) {
        var requests = roomRules.keep(longestWaiting(), nodes, now());
        var rooms = requests.stream().map(KeepRoom::room).collect(Collectors.toSet());
        keptHere.stream().filter(room -> !rooms.contains(room)).toList().forEach(room -> {
            keptHere.remove(room);
            // It ends by itself, if the request is lost.
            bus.request(LedgerAddresses.KEEP, KeepRoom.end(room));
        });
        requests.forEach(request ->
                bus.request(LedgerAddresses.KEEP, request).onSuccess(reply -> replied(request.room(), reply, binder)));
    }

    private void replied(KeptRoom room, KeepReply reply, PodBinder binder) {
        roomRules.replied(room, reply);
        if (reply instanceof KeepReply.Kept && keptHere.add(room)) {
            announce(room, binder);
        }
    }

    private void announce(KeptRoom room, PodBinder binder) {
        pods.find(room.uid())
                .ifPresent(found -> binder.decided(new PlacementDecision(
                        PlacementDecision.Kind.WAITS,
                        room.uid(),
                        found.pod().namespace(),
                        found.pod().name(),
                        room.node(),
                        "room is kept for it on node " + room.node() + " for " + KeptRoomRules.KEPT_FOR.toSeconds()
                                + " s at most")));
    }

    private Instant now() {
        return clock.instant();
    }
}
