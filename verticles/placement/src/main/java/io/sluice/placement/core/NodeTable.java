package io.sluice.placement.core;

import io.sluice.devices.GpuShare;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.placement.KeptRooms;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.Resources;
import io.sluice.units.WorkerNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The last known sums of all nodes. */
public final class NodeTable {
    /** How long rooms of pods for which others were evicted are kept without news, which come each second. */
    public static final Duration KEPT_WITHOUT_NEWS = Duration.ofSeconds(5);

    private final Map<String, NodeSnapshot> nodes = new HashMap<>();
    private final Map<String, Instant> states = new HashMap<>();
    private final Set<String> withHolds = new TreeSet<>();
    private final Map<String, KeptRoom> claims = new TreeMap<>();
    private final Map<String, TimedRooms> nominated = new TreeMap<>();
    private Optional<Resources> largest = Optional.empty();

    /** The rooms of one entrance, which end unless there is news of them. */
    private record TimedRooms(List<KeptRoom> rooms, Instant until) {
        boolean hasEnded(Instant now) {
            return !now.isBefore(until);
        }
    }

    /** Applies a node's sums. */
    public void observed(NodeLedgerView ledger) {
        var known = find(ledger.node());
        ledger.completedAt().ifPresentOrElse(at -> states.put(ledger.node(), at), () -> states.remove(ledger.node()));
        ledger.kept().ifPresentOrElse(room -> claims.put(ledger.node(), room), () -> claims.remove(ledger.node()));
        put(NodeSnapshot.of(ledger)
                .using(known.map(NodeSnapshot::use).orElse(NodeUse.NONE))
                .keeping(keptOn(ledger.node())));
        if (ledger.hasHolds()) {
            withHolds.add(ledger.node());
        } else {
            withHolds.remove(ledger.node());
        }
    }

    /**
     * Adds a hold that was granted since a node's last sums; the next sums contain it.
     *
     * @param shares the GPUs that the pod gets
     */
    public void held(String node, PodToPlace pod, List<GpuShare> shares) {
        find(node).ifPresent(known -> {
            put(known.holding(pod, shares));
            withHolds.add(node);
        });
    }

    /** Applies the use of the VMs of all nodes; it is unknown on those that are left out. */
    public void use(Map<String, NodeUse> use) {
        nodes.replaceAll((name, node) -> node.using(use.getOrDefault(name, NodeUse.NONE)));
    }

    /** Applies the rooms that one entrance keeps for pods for which others were evicted; its rooms of before end. */
    public void nominated(KeptRooms news, Instant now) {
        nominated.put(news.by(), new TimedRooms(news.rooms(), now.plus(KEPT_WITHOUT_NEWS)));
        keep();
    }

    /** Ends such rooms without news: the process that kept them has ended. */
    public void look(Instant now) {
        if (nominated.values().removeIf(rooms -> rooms.hasEnded(now))) {
            keep();
        }
    }

    /** Whether others were evicted for a pod. */
    boolean isNominated(String uid) {
        return nominated.values().stream()
                .anyMatch(timed ->
                        timed.rooms.stream().anyMatch(room -> room.uid().equals(uid)));
    }

    /** Whether a node's ledger keeps room for a pod. */
    boolean isKeptFor(String uid) {
        return claims.values().stream().anyMatch(room -> room.uid().equals(uid));
    }

    private void keep() {
        nodes.replaceAll((name, node) -> {
            var rooms = keptOn(name);
            return node.kept().equals(rooms) ? node : node.keeping(rooms);
        });
    }

    private List<KeptRoom> keptOn(String node) {
        var rooms = new ArrayList<KeptRoom>();
        Optional.ofNullable(claims.get(node)).ifPresent(rooms::add);
        nominated
                .values()
                .forEach(timed -> timed.rooms.stream()
                        .filter(room -> room.node().equals(node))
                        .forEach(rooms::add));
        return rooms;
    }

    /** Removes a node that is gone. */
    public void gone(String node) {
        states.remove(node);
        withHolds.remove(node);
        claims.remove(node);
        if (nodes.remove(node) != null) {
            largest = Optional.empty();
        }
    }

    /** Removes all nodes that a snapshot of the whole ledger lacks. */
    public void onlyThese(Set<String> all) {
        nodes.keySet().stream().filter(node -> !all.contains(node)).toList().forEach(this::gone);
    }

    /** Which ledger state of the node this knows, by when it was completed; empty if none. */
    public Optional<Instant> stateOf(String node) {
        return Optional.ofNullable(states.get(node));
    }

    /** All nodes, in no order. */
    public Collection<NodeSnapshot> all() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    /** The names of all nodes, sorted. */
    public List<String> names() {
        return nodes.keySet().stream().sorted().toList();
    }

    public Optional<NodeSnapshot> find(String node) {
        return Optional.ofNullable(nodes.get(node));
    }

    /**
     * The node, where it may take the pod at all: only instances of workers run on machines that registered themselves.
     */
    Optional<NodeSnapshot> find(String node, PodToPlace pod) {
        return WorkerNames.isOfWorker(node) && !WorkerNames.isInstance(pod.pod().uid()) ? Optional.empty() : find(node);
    }

    /**
     * The known nodes that may take the pod at all.
     *
     * @param among the names of the nodes; empty for all of its kind
     */
    Stream<NodeSnapshot> of(PodToPlace pod, List<String> among) {
        boolean instance = WorkerNames.isInstance(pod.pod().uid());
        return among.isEmpty()
                ? nodes.values().stream().filter(node -> WorkerNames.isOfWorker(node.node()) == instance)
                : among.stream().flatMap(name -> find(name, pod).stream());
    }

    /** The nodes on which room is held, sorted. */
    public Set<String> withHolds() {
        return Set.copyOf(withHolds);
    }

    /** The largest total of any node, kind by kind. */
    public Resources largest() {
        var known = largest.orElseGet(
                () -> nodes.values().stream().map(NodeSnapshot::total).reduce(Resources.NONE, Resources::max));
        largest = Optional.of(known);
        return known;
    }

    private void put(NodeSnapshot node) {
        var before = nodes.put(node.node(), node);
        if (before == null || !before.total().equals(node.total())) {
            largest = Optional.empty();
        }
    }
}
