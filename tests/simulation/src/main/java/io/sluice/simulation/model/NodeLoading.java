package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.neonvm.core.observed.FullList;
import io.sluice.neonvm.core.observed.FullListStart;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Sends full lists to the ledger until it replies, and reclaims the reservations without permit requests. */
final class NodeLoading {
    private static final long TIMEOUT = Seconds.of(5);
    private static final long RETRY = Seconds.ofMillis(400);
    private static final long SETTLE_AFTER = Seconds.of(12);
    private static final long SETTLE_AGAIN = Seconds.of(5);
    private static final int OLD_KEPT = 40;

    private final World world;
    private final Link toLedger;
    private final Link fromLedger;
    private final Set<String> known = new HashSet<>();
    private final Map<String, LoadNode> pending = new HashMap<>();
    private final Set<String> appointments = new HashSet<>();
    private final List<LoadNode> old = new ArrayList<>();
    private final Set<LoadNode> arrived = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<LoadNode> early = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Runnable> replaced = new ArrayList<>();
    private Optional<FullList> newest = Optional.empty();
    private long begun;
    private int life;
    private long settlers;

    NodeLoading(World world, Link toLedger) {
        this.world = world;
        this.toLedger = toLedger;
        fromLedger = world.bus().link("ledger -> cluster");
    }

    void reset() {
        life++;
        known.clear();
        pending.clear();
        replaced.clear();
        appointments.clear();
        newest = Optional.empty();
    }

    void announce(FullList fullList) {
        newest = Optional.of(fullList);
        known.clear();
        fullList.nodes().items().forEach(node -> known.add(node.node()));
    }

    boolean isNewest(FullList fullList) {
        return newest.filter(found -> found == fullList).isPresent();
    }

    boolean contains(String node) {
        return known.contains(node);
    }

    /** A full list begins. */
    FullListStart begin() {
        return new FullListStart(++begun);
    }

    /** Requests what the full list must name of each node; continues in any case. */
    void request(List<NodeObserved> nodes, FullListStart start, Runnable request) {
        var left = new int[] {nodes.size()};
        if (nodes.isEmpty()) {
            request.run();
        }
        Runnable over = () -> {
            if (--left[0] == 0) {
                request.run();
            }
        };
        nodes.forEach(node -> world.bus()
                .<LoadReply>request(
                        toLedger,
                        fromLedger,
                        TIMEOUT,
                        answer ->
                                world.ledger().serve(node.node(), new LedgerCommand.Load(LoadNode.ahead(node)), answer),
                        reply -> {
                            start.replied(node.node(), reply);
                            over.run();
                        },
                        over));
    }

    /** Some full lists that were sent earlier. */
    List<LoadNode> old() {
        return old;
    }

    /** Records that a copy of that full list arrives, perhaps before the list and what was sent before it. */
    void copied(LoadNode load) {
        if (!arrived.contains(load)) {
            early.add(load);
        }
    }

    /** Whether a copy of a full list of that node has overtaken what was sent before it, which is still under way. */
    boolean isAhead(String node) {
        return early.stream().anyMatch(load -> load.node().node().equals(node));
    }

    void load(List<LoadNode> unnamed, FullListStart start, Runnable done) {
        var loads = unnamed.stream().map(start::named).toList();
        pending.clear();
        replaced.forEach(Runnable::run);
        replaced.clear();
        replaced.add(done);
        var left = new HashSet<String>();
        for (var load : loads) {
            pending.put(load.node().node(), load);
            left.add(load.node().node());
            if (old.size() < OLD_KEPT) {
                old.add(load);
            }
        }
        loads.forEach(load -> send(load, start, left, done));
    }

    private void send(LoadNode load, FullListStart start, Set<String> left, Runnable done) {
        var node = load.node().node();
        if (pending.get(node) != load) {
            return;
        }
        int mine = life;
        world.bus()
                .<LoadReply>request(
                        toLedger,
                        fromLedger,
                        TIMEOUT,
                        answer -> {
                            arrived.add(load);
                            early.remove(load);
                            world.ledger().serve(node, new LedgerCommand.Load(load), answer);
                        },
                        reply -> {
                            if (mine == life) {
                                loaded(load, start, reply, left, done);
                            }
                        },
                        () -> world.time().in(RETRY, () -> {
                            if (mine == life) {
                                send(load, start, left, done);
                            }
                        }));
    }

    private void loaded(LoadNode load, FullListStart start, LoadReply reply, Set<String> left, Runnable done) {
        var node = load.node().node();
        if (reply.relist().isPresent()) {
            if (pending.get(node) == load && start.number() == begun) {
                world.cluster().listSooner();
            }
            return;
        }
        boolean awaited = pending.remove(node, load);
        settle(node, reply.unsettled());
        if (awaited && left.remove(node) && left.isEmpty()) {
            replaced.remove(done);
            done.run();
        }
    }

    /** Reclaims as the sums of a node require. */
    void settle(String node, int unsettled) {
        if (unsettled > 0) {
            settleAfter(SETTLE_AFTER, node);
        }
    }

    private void settleAfter(long wait, String node) {
        if (appointments.add(node)) {
            int mine = life;
            world.time().in(wait, () -> {
                if (mine == life) {
                    appointments.remove(node);
                    settleAll(node);
                }
            });
        }
    }

    private void settleAll(String node) {
        int mine = life;
        world.bus()
                .<Snapshot>request(
                        toLedger,
                        fromLedger,
                        TIMEOUT,
                        answer -> world.ledger().snapshot(node, answer),
                        snapshot -> {
                            if (mine == life) {
                                settleAll(node, snapshot);
                            }
                        },
                        () -> {
                            if (mine == life) {
                                settleAfter(SETTLE_AGAIN, node);
                            }
                        });
    }

    private void settleAll(String node, Snapshot snapshot) {
        for (var ledger : snapshot.nodes()) {
            for (var reservation : ledger.reservations()) {
                if (reservation.contact().unsettled()) {
                    settleAfter(SETTLE_AGAIN, node);
                    world.cluster().vmInPod(reservation.pod()).ifPresent(vm -> settle(node, reservation, vm));
                }
            }
        }
    }

    private void settle(String node, ReservationView reservation, VmObserved vm) {
        int mine = life;
        settlers++;
        world.scaledPods().claim(new ClaimVm(vm.vm(), ClaimVm.reclaimer(Long.toString(settlers))), reply -> {
            if (mine == life && reply instanceof ClaimReply.Claimed claimed && claimed.settled()) {
                var read = new Reclaim(node, reservation.pod(), claimed.sizes().inUse(), reservation.session());
                world.bus()
                        .<ReclaimReply>request(
                                toLedger,
                                fromLedger,
                                TIMEOUT,
                                answer ->
                                        world.ledger().serve(node, new LedgerCommand.ReclaimReservation(read), answer),
                                settled -> {
                                    if (settled instanceof ReclaimReply.Settled) {
                                        world.tally().settled();
                                    }
                                },
                                () -> {});
            }
        });
    }
}
