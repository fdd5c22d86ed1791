package io.sluice.placement.scheduler;

import io.sluice.bus.Bus;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.placement.NodeRanks;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.messages.placement.PlacePod;
import io.sluice.messages.placement.PlaceReply;
import io.sluice.messages.placement.RankNodes;
import io.sluice.messages.vm.TouchPod;
import io.sluice.placement.core.gangs.GangAttempt;
import io.sluice.placement.core.gangs.GangMember;
import io.sluice.placement.core.gangs.GangRecord;
import io.sluice.placement.core.queue.SchedulingView;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gangs whose members kube-scheduler binds: the first member that it tries has room held for all, and each gets the
 * node on which its room is held, and no other.
 */
final class ExtenderGangs {
    private static final Duration OBSERVED_WITHIN = Duration.ofSeconds(1);
    private static final Duration DECIDED_WITHIN = Duration.ofSeconds(2);
    private static final Duration TOUCHED_AGAIN_AFTER = Duration.ofSeconds(10);

    /** kube-scheduler looks at all nodes until that many suit, whatever its {@code percentageOfNodesToScore}. */
    private static final int OFFERED_AT_LEAST = 100;

    private static final int WAITING_MAX = 10_000;

    private final Vertx vertx;
    private final Bus bus;
    private final SchedulingView view;
    private final GangScheduler scheduler;
    private final Map<String, Promise<Void>> changes = new HashMap<>();
    private final Map<String, Promise<PlaceReply>> binds = new HashMap<>();
    private final Map<String, Instant> touched = new HashMap<>();

    ExtenderGangs(Vertx vertx, Bus bus, SchedulingView view, GangScheduler scheduler) {
        this.vertx = vertx;
        this.bus = bus;
        this.view = view;
        this.scheduler = scheduler;
    }

    /** Whether kube-scheduler binds the members of a gang. */
    boolean owns(GangRecord gang) {
        return gang.members().stream()
                .filter(GangMember::isPending)
                .anyMatch(member -> view.pending(member.uid()).isPresent()
                        && view.waiting(member.uid()).isEmpty());
    }

    /** Which node a member may have. */
    Future<NodeRanks> node(RankNodes request) {
        if (!scheduler.leads()) {
            return isOfNone(request.uid())
                    ? Future.succeededFuture(new NodeRanks.PodNotPending())
                    : Future.failedFuture("this process does not place gangs");
        }
        return view.pending(request.uid()).isPresent()
                ? known(request)
                : change(request.uid(), OBSERVED_WITHIN).compose(come -> known(request));
    }

    /** Whether a pod is known and names no gang. Any process answers for it, so that it waits for no leader. */
    private boolean isOfNone(String uid) {
        return view.pending(uid).isPresent()
                && view.gangs().of(uid).isEmpty()
                && view.gangs().refusal(uid).isEmpty();
    }

    private Future<NodeRanks> known(RankNodes request) {
        var uid = request.uid();
        var refusal = view.gangs().refusal(uid);
        if (refusal.isPresent()) {
            return Future.succeededFuture(waits(request, refusal.get()));
        }
        if (view.pending(uid).isEmpty()) {
            return Future.succeededFuture(waits(request, "it was not observed yet"));
        }
        var gang = view.gangs()
                .binding(uid)
                .or(() -> view.gangs().of(uid).filter(its -> scheduler.held(uid).isPresent()))
                .filter(its -> !scheduler.isReplacement(uid));
        if (gang.isEmpty()) {
            return Future.succeededFuture(new NodeRanks.PodNotPending());
        }
        if (scheduler.held(uid).isEmpty()) {
            scheduler.beginFor(gang.get(), uid, numbers(request.nodes()));
        }
        return scheduler
                                .held(uid)
                                .filter(held -> held.step() == GangAttempt.Step.HOLDING)
                                .isPresent()
                        || scheduler.isCollecting(uid)
                ? change(uid, DECIDED_WITHIN).map(decided -> decided(request, gang.get()))
                : Future.succeededFuture(decided(request, gang.get()));
    }

    private BitSet numbers(List<String> nodes) {
        var numbers = new BitSet();
        nodes.forEach(node -> view.table().known(node).ifPresent(numbers::set));
        return numbers;
    }

    private NodeRanks decided(RankNodes request, GangRecord gang) {
        var held = scheduler.held(request.uid());
        if (held.isEmpty() || scheduler.isCollecting(request.uid())) {
            var reason = gang.waitReason();
            return waits(request, reason.isEmpty() ? "GANG_WAITS: another gang is held first" : reason);
        }
        var node = held.get().node();
        if (!request.nodes().contains(node) && !mayBeLeftOut(request)) {
            scheduler.reject(request.uid());
            return waits(request, gang.waitReason());
        }
        return new NodeRanks.Ranked(request.nodes().stream()
                .map(name -> name.equals(node)
                        ? new NodeRank(name, Obstacle.NONE, Resources.NONE, NodeRanks.SCORE_MAX)
                        : new NodeRank(name, Obstacle.HELD_ELSEWHERE, Resources.NONE, 0))
                .toList());
    }

    /** Whether kube-scheduler may have stopped before it came to the member's node: it does once enough nodes suit. */
    private boolean mayBeLeftOut(RankNodes request) {
        return request.nodes().size() >= OFFERED_AT_LEAST
                && request.nodes().size() < view.table().all().cardinality();
    }

    private static NodeRanks waits(RankNodes request, String reason) {
        var none = new NodeRank("", Obstacle.GANG, Resources.NONE, 0);
        return new NodeRanks.Ranked(request.nodes().stream()
                .map(name -> new NodeRank(name, Obstacle.GANG, none.shortBy(), 0, reason, none.shortOf()))
                .toList());
    }

    private Future<Void> change(String uid, Duration within) {
        if (changes.size() >= WAITING_MAX) {
            return Future.succeededFuture();
        }
        return changes.computeIfAbsent(uid, key -> {
                    Promise<Void> promise = Promise.promise();
                    long timer = vertx.setTimer(within.toMillis(), late -> promise.tryComplete());
                    promise.future().onComplete(come -> {
                        vertx.cancelTimer(timer);
                        changes.remove(uid);
                    });
                    return promise;
                })
                .future();
    }

    /** Binds a member on the node on which its room is held. */
    Future<PlaceReply> place(PlacePod request) {
        if (!scheduler.leads()) {
            return isOfNone(request.uid())
                    ? Future.succeededFuture(new PlaceReply.NotPlaced(""))
                    : Future.failedFuture("this process does not place gangs");
        }
        var uid = request.uid();
        var held = scheduler.held(uid);
        if (held.isEmpty()) {
            var reason = view.gangs()
                    .binding(uid)
                    .map(gang -> "its gang is not held")
                    .orElse("");
            return Future.succeededFuture(new PlaceReply.NotPlaced(reason));
        }
        if (!held.get().node().equals(request.node()) || scheduler.isCollecting(uid)) {
            return Future.succeededFuture(new PlaceReply.NotPlaced(
                    "room for the pod is held on node " + held.get().node()));
        }
        if (held.get().step() == GangAttempt.Step.BOUND) {
            return Future.succeededFuture(new PlaceReply.Placed());
        }
        var reply = binds.computeIfAbsent(uid, key -> Promise.promise());
        scheduler.request(uid);
        return reply.future();
    }

    /** A bind has ended. */
    void ended(String uid, PlaceReply reply) {
        Optional.ofNullable(binds.remove(uid)).ifPresent(promise -> promise.tryComplete(reply));
    }

    /** A pod was observed, or its gang has changed. */
    void changed(String uid) {
        if (!scheduler.isCollecting(uid)) {
            Optional.ofNullable(changes.get(uid)).ifPresent(Promise::tryComplete);
        }
        if (scheduler.held(uid).isEmpty()) {
            ended(uid, new PlaceReply.NotPlaced("its gang is not held any more"));
        }
    }

    /** kube-scheduler tries pods again when they change; it does not notice what becomes of their gang. */
    void wake(GangRecord gang, Instant now) {
        touched.values().removeIf(at -> now.isAfter(at.plus(TOUCHED_AGAIN_AFTER)));
        for (var member : gang.pending()) {
            boolean waits = !changes.containsKey(member.uid()) && !binds.containsKey(member.uid());
            if (waits && view.pending(member.uid()).isPresent() && touched.putIfAbsent(member.uid(), now) == null) {
                bus.request(VmAddresses.TOUCH_POD, new TouchPod(member.uid(), member.namespace(), member.name()));
            }
        }
    }
}
