package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.shell.load.LoadScore;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** The last sums of each node. The ledger decides on each hold, so old sums do no harm. */
public final class NodeRooms {
    private final Map<String, NodeRoom> rooms = new TreeMap<>();
    private final Set<String> pressed = new TreeSet<>();
    private final HoldRefusals refusals = new HoldRefusals();
    private Optional<LiveTargets> targets = Optional.empty();

    /**
     * How nodes are compared by what is in use on them.
     *
     * @param score of a share in use
     * @param use of each node's VMs, as far as it is known
     */
    public record LiveTargets(LoadScore score, Map<String, NodeUse> use) {
        double of(Offer offer) {
            var live = use.getOrDefault(offer.room.node(), NodeUse.NONE).live(offer.after);
            return score.of(live, offer.room.total());
        }
    }

    private record Offer(NodeRoom room, Resources after, FixedAmounts takes, FixedAmounts promised) {
        private static final Comparator<Offer> LEAST_RESERVED = Comparator.<Offer>comparingDouble(
                        offer -> offer.share(offer.after))
                .thenComparing(offer -> offer.room.node());
        private static final Comparator<Offer> LEAST_SHORT = Comparator.<Offer>comparingDouble(
                        offer -> offer.share(offer.after.minus(offer.room.watermark())))
                .thenComparing(LEAST_RESERVED);

        boolean fits() {
            return after.milliCpu() < room.watermark().milliCpu()
                    && after.memoryBytes() < room.watermark().memoryBytes();
        }

        private double share(Resources amount) {
            return Math.max(share(amount, ResourceKind.CPU), share(amount, ResourceKind.MEMORY));
        }

        private double share(Resources amount, ResourceKind kind) {
            return (double) amount.of(kind) / room.total().of(kind);
        }
    }

    /** Applies a node's sums. */
    public void received(NodeLedgerView ledger, long order) {
        if (orderOf(ledger.node()) <= order) {
            put(NodeRoom.of(ledger, order));
        }
    }

    /** From now on the node with the best score is chosen; empty for the least reserved one. */
    public void targets(Optional<LiveTargets> chosen) {
        targets = chosen;
    }

    /** Removes nodes that a snapshot of all nodes lacks, unless newer sums of them arrived. */
    public void onlyThese(Collection<String> nodes, long order) {
        var found = new HashSet<>(nodes);
        rooms.values().removeIf(room -> room.order() <= order && !found.contains(room.node()));
        pressed.retainAll(rooms.keySet());
    }

    /** The ledger refused a hold there: nothing fits until newer sums arrive. */
    public void refused(String node, long order) {
        Optional.ofNullable(rooms.get(node)).ifPresent(room -> put(room.full(order)));
    }

    /** The ledger refused a hold there for what sums do not show: the node is left out for some time. */
    public void refused(String node, String reason, Instant now) {
        refusals.add(node, reason, now);
    }

    /** Why the node is left out after a refusal, in words that follow "is"; empty where it is not. */
    public Optional<String> refusal(String node, Instant now) {
        return refusals.of(node, now);
    }

    /** Removes refusals that are over. */
    public void prune(Instant now) {
        refusals.prune(now);
    }

    /** The order of the node's last sums; the smallest number where there are none. */
    public long orderOf(String node) {
        return Optional.ofNullable(rooms.get(node)).map(NodeRoom::order).orElse(Long.MIN_VALUE);
    }

    /** Whether the last sums of the node are of a complete state. */
    public boolean isComplete(String node) {
        return Optional.ofNullable(rooms.get(node)).filter(NodeRoom::complete).isPresent();
    }

    /** The ledger state that these sums are of: when it was completed; empty where that is unknown. */
    public Optional<Instant> stateOf(String node) {
        return Optional.ofNullable(rooms.get(node)).flatMap(NodeRoom::completedAt);
    }

    /** The nodes under pressure, sorted. */
    public List<String> pressed() {
        return List.copyOf(pressed);
    }

    /** The number of nodes under pressure. */
    public int pressedCount() {
        return pressed.size();
    }

    /** The last sums of all nodes, sorted by name. */
    public List<NodeRoom> all() {
        return List.copyOf(rooms.values());
    }

    /**
     * The node with the best score, or that would be least reserved with these amounts, among those that stay below
     * their watermark.
     *
     * @param except the node that the VM leaves
     * @param promised what migrations hold, or are about to hold, that is not in the sums yet
     * @param against why the node of that name is closed to the VM; empty where it is open
     */
    public RoomSearch search(
            String except,
            RoomAmounts amounts,
            Map<String, RoomAmounts> promised,
            Function<String, Optional<String>> against) {
        var offers = rooms.values().stream()
                .filter(room -> room.open() && !room.node().equals(except))
                .map(room -> offer(room, amounts, promised))
                .toList();
        var fitting = new ArrayList<Offer>();
        var closed = new ArrayList<String>();
        offers.stream()
                .filter(Offer::fits)
                .forEach(offer -> against.apply(offer.room.node())
                        .or(() -> offer.room.closed(offer.takes, offer.promised))
                        .ifPresentOrElse(
                                why -> closed.add(offer.room.node() + " is " + why), () -> fitting.add(offer)));
        if (!fitting.isEmpty()) {
            var order = targets.map(by -> Comparator.<Offer>comparingDouble(offer -> -by.of(offer))
                            .thenComparing(Offer.LEAST_RESERVED))
                    .orElse(Offer.LEAST_RESERVED);
            var best = Collections.min(fitting, order);
            return new RoomSearch.Fits(best.room.node(), best.after, best.room.watermark(), closed);
        }
        if (!closed.isEmpty()) {
            return new RoomSearch.Closed(closed);
        }
        return offers.stream()
                .min(Offer.LEAST_SHORT)
                .<RoomSearch>map(best -> new RoomSearch.Short(best.room.node(), best.after, best.room.watermark()))
                .orElseGet(RoomSearch.Nowhere::new);
    }

    private void put(NodeRoom room) {
        rooms.put(room.node(), room);
        if (room.pressed()) {
            pressed.add(room.node());
        } else {
            pressed.remove(room.node());
        }
    }

    private static Offer offer(NodeRoom room, RoomAmounts amounts, Map<String, RoomAmounts> promised) {
        var more = promised.getOrDefault(room.node(), RoomAmounts.NONE);
        return new Offer(
                room, room.reserved().plus(more.charge()).plus(amounts.charge()), amounts.fixed(), more.fixed());
    }
}
