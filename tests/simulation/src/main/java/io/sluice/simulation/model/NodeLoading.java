package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.cluster.VmSeen;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.Settle;
import io.sluice.messages.ledger.SettleReply;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.neonvm.core.Listing;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Hands listings to the ledger until it answers, and settles the members that nobody asks for. */
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
    private final List<Runnable> replaced = new ArrayList<>();
    private Optional<Listing> newest = Optional.empty();
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

    void announce(Listing listing) {
        newest = Optional.of(listing);
        known.clear();
        listing.nodes().items().forEach(node -> known.add(node.node()));
    }

    boolean isNewest(Listing listing) {
        return newest.filter(found -> found == listing).isPresent();
    }

    boolean knows(String node) {
        return known.contains(node);
    }

    /** Some that were handed over earlier. */
    List<LoadNode> old() {
        return old;
    }

    void load(List<LoadNode> loads, Runnable done) {
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
        loads.forEach(load -> send(load, left, done));
    }

    private void send(LoadNode load, Set<String> left, Runnable done) {
        var node = load.node().node();
        if (pending.get(node) != load) {
            return;
        }
        int mine = life;
        world.bus()
                .<LoadReply>ask(
                        toLedger,
                        fromLedger,
                        TIMEOUT,
                        answer -> answer.accept(world.ledger().run(node, new LedgerCommand.Load(load))),
                        reply -> {
                            if (mine == life) {
                                loaded(load, reply, left, done);
                            }
                        },
                        () -> world.time().in(RETRY, () -> {
                            if (mine == life) {
                                send(load, left, done);
                            }
                        }));
    }

    private void loaded(LoadNode load, LoadReply reply, Set<String> left, Runnable done) {
        var node = load.node().node();
        boolean awaited = pending.remove(node, load);
        if (reply.recovered() > 0) {
            settleAfter(SETTLE_AFTER, node);
        }
        if (awaited && left.remove(node) && left.isEmpty()) {
            replaced.remove(done);
            done.run();
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
                .<Snapshot>ask(
                        toLedger,
                        fromLedger,
                        TIMEOUT,
                        answer -> answer.accept(world.ledger().snapshot(node)),
                        books -> {
                            if (mine == life) {
                                settleAll(node, books);
                            }
                        },
                        () -> {
                            if (mine == life) {
                                settleAfter(SETTLE_AGAIN, node);
                            }
                        });
    }

    private void settleAll(String node, Snapshot snapshot) {
        for (var books : snapshot.nodes()) {
            for (var member : books.members()) {
                if (member.recovered()) {
                    settleAfter(SETTLE_AGAIN, node);
                    world.cluster().vmInPod(member.member()).ifPresent(vm -> settle(node, member, vm));
                }
            }
        }
    }

    private void settle(String node, MemberBooks member, VmSeen vm) {
        int mine = life;
        settlers++;
        world.patcher().claim(new ClaimVm(vm.vm(), ClaimVm.settler(Long.toString(settlers))), reply -> {
            if (mine == life && reply instanceof ClaimReply.Claimed claimed && claimed.settled()) {
                var read = new Settle(node, member.member(), claimed.sizes().inUse());
                world.bus()
                        .<SettleReply>ask(
                                toLedger,
                                fromLedger,
                                TIMEOUT,
                                answer -> answer.accept(world.ledger().run(node, new LedgerCommand.SettleMember(read))),
                                settled -> {
                                    if (settled instanceof SettleReply.Settled) {
                                        world.tally().settled();
                                    }
                                },
                                () -> {});
            }
        });
    }
}
