package io.sluice.simulation.model.placement;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.LeftOverHolds;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PlacementRules;
import io.sluice.placement.core.PlacementRules.HoldEnd;
import io.sluice.placement.core.plugins.ReadyLedger;
import io.sluice.placement.core.plugins.ReservedRoom;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Clock;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.World;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The part that places pods: the real rules, and what its verticle does for them. Two processes may place the same pod
 * at once, with old sums of the nodes; each may crash after any message.
 */
public final class PlacementPart {
    private static final long LEDGER_TIMEOUT = Seconds.of(1);
    private static final long SNAPSHOT_TIMEOUT = Seconds.of(2);

    /** The longest delay of a copy of a ledger request. */
    private static final long LATEST = Seconds.of(20);

    private static final long PODS_APART = Seconds.of(8);
    private static final long RETRY = Seconds.of(6);
    private static final long LIFE = Seconds.of(40);
    private static final long LEFT_OVER_EVERY = Seconds.of(5);

    private final World world;
    private final int podsMax;
    private final Chance chance;
    private final Clock clock;
    private final Link toLedger;
    private final Link fromLedger;
    private final NodeRanking ranking =
            new NodeRanking(List.of(new ReadyLedger(), new ReservedRoom(), new ReservedShare(0.5, 0.8, 0)));
    private final List<ModelPod> pods = new ArrayList<>();
    private LeftOverHolds leftOver = new LeftOverHolds();
    private long made;
    private int life;

    /** @param podsMax the most pods at once; with none nothing happens */
    public PlacementPart(World world, int podsMax) {
        this.world = world;
        this.podsMax = podsMax;
        chance = world.faults().chance("placement");
        clock = world.clock("placement");
        toLedger = world.faults().link("placement -> ledger", LATEST);
        fromLedger = world.bus().link("ledger's answer -> placement");
        if (podsMax > 0) {
            next();
            world.time().in(LEFT_OVER_EVERY, this::endLeftOverHolds);
        }
    }

    /** All pods that have not ended. */
    public List<ModelPod> pods() {
        return pods;
    }

    /** Ends all processes; others start at once and receive no reply to the earlier requests. */
    private void crash() {
        life++;
        clock.reset();
        leftOver = new LeftOverHolds();
    }

    private void next() {
        world.time().in(1 + chance.below(PODS_APART), () -> {
            if (world.faults().ceased()) {
                return;
            }
            if (pods.size() < podsMax) {
                var amounts = new Resources(250L * (1 + chance.below(12)), (1L + chance.below(10)) << 30);
                var pod = new ModelPod("placed-" + ++made, amounts);
                pods.add(pod);
                world.time().in(LIFE / 2 + chance.below(LIFE), () -> ends(pod));
                place(pod);
                if (chance.oneIn(3)) {
                    place(pod);
                }
            }
            if (chance.oneIn(4) && world.faults().happens(chance, chance.drawn(), "placement crashes")) {
                crash();
            }
            next();
        });
    }

    private void ends(ModelPod pod) {
        pod.there = false;
        pods.remove(pod);
        pod.node.ifPresent(node -> world.ends(pod));
    }

    private void again(ModelPod pod) {
        world.time().in(1 + chance.below(RETRY), () -> place(pod));
    }

    /** An attempt, as kube-scheduler makes one: by sums that may be old. */
    private void place(ModelPod pod) {
        if (!pod.there || pod.node.isPresent()) {
            return;
        }
        snapshot(
                snapshot -> {
                    var nodes = new NodeTable();
                    snapshot.nodes().forEach(nodes::observed);
                    var names =
                            snapshot.nodes().stream().map(node -> node.node()).toList();
                    ranking.rank(pod.toPlace(), names, nodes, Optional.empty()).stream()
                            .filter(rank -> rank.fits())
                            .max(Comparator.comparingInt(rank -> rank.score()))
                            .ifPresentOrElse(best -> hold(pod, best.node()), () -> again(pod));
                },
                () -> again(pod));
    }

    private void hold(ModelPod pod, String node) {
        var hold = PlacementRules.hold(pod.toPlace(), node, "attempt-" + world.fresh());
        this.<HoldReply>ledger(
                node,
                new LedgerCommand.Hold(hold),
                reply -> {
                    if (PlacementRules.refusal(reply, node).isPresent()) {
                        again(pod);
                    } else {
                        bind(pod, hold);
                    }
                },
                () -> {
                    end(HoldEnd.RELEASE, node, hold.holder(), hold.attempt());
                    again(pod);
                });
    }

    private void bind(ModelPod pod, HoldRoom hold) {
        var request = new PlacePod(pod.uid(), hold.namespace(), pod.name(), hold.node());
        long heldAt = world.time().now();
        int mine = life;
        world.patcher()
                .<PodBinding>call(
                        () -> bound(pod, hold.node(), heldAt),
                        binding -> finished(mine, pod, request, hold, binding),
                        () -> finished(mine, pod, request, hold, new PodBinding.InDoubt("no reply")));
    }

    /** The effect of a Binding at the API server. */
    private PodBinding bound(ModelPod pod, String node, long heldAt) {
        if (!pod.there) {
            return new PodBinding.Gone();
        }
        if (pod.node.isEmpty()) {
            pod.node = Optional.of(node);
            pod.heldAt = heldAt;
            world.arrives(pod);
        }
        return new PodBinding.Bound(pod.node.get());
    }

    private void finished(int of, ModelPod pod, PlacePod request, HoldRoom hold, PodBinding binding) {
        if (of != life) {
            again(pod);
            return;
        }
        end(PlacementRules.bound(request, binding).hold(), hold.node(), hold.holder(), hold.attempt());
        again(pod);
    }

    private void end(HoldEnd end, String node, String pod, String attempt) {
        switch (end) {
            case RELEASE ->
                this.<HoldReply>ledger(node, new LedgerCommand.Release(pod, attempt), reply -> {}, () -> {});
            case KEEP -> {}
        }
    }

    private void endLeftOverHolds() {
        world.time().in(LEFT_OVER_EVERY, this::endLeftOverHolds);
        snapshot(snapshot -> leftOver.observed(snapshot.nodes(), clock.now()).forEach(this::endLeftOver), () -> {});
    }

    private void endLeftOver(LeftOverHolds.Hold hold) {
        int mine = life;
        world.patcher()
                .<PodBinding>call(
                        () -> read(hold.pod().uid()),
                        found -> {
                            if (mine == life) {
                                end(
                                        PlacementRules.leftOver(hold.node(), found),
                                        hold.node(),
                                        hold.pod().uid(),
                                        hold.attempt());
                            }
                        },
                        () -> {});
    }

    private PodBinding read(String uid) {
        return pods.stream()
                .filter(pod -> pod.uid().equals(uid))
                .findFirst()
                .<PodBinding>map(
                        pod -> pod.node.<PodBinding>map(PodBinding.Bound::new).orElseGet(PodBinding.Unbound::new))
                .orElseGet(PodBinding.Gone::new);
    }

    private void snapshot(Consumer<Snapshot> received, Runnable lost) {
        int mine = life;
        world.bus()
                .<Snapshot>request(
                        toLedger,
                        fromLedger,
                        SNAPSHOT_TIMEOUT,
                        answer -> world.ledger().snapshot("", answer),
                        snapshot -> {
                            if (mine == life) {
                                received.accept(snapshot);
                            } else {
                                lost.run();
                            }
                        },
                        lost);
    }

    private <A> void ledger(String node, LedgerCommand<A> command, Consumer<A> received, Runnable lost) {
        int mine = life;
        world.bus()
                .<A>request(
                        toLedger,
                        fromLedger,
                        LEDGER_TIMEOUT,
                        answer -> world.ledger().serve(node, command, answer),
                        reply -> {
                            if (mine == life) {
                                received.accept(reply);
                            }
                        },
                        () -> {
                            if (mine == life) {
                                lost.run();
                            }
                        });
    }
}
