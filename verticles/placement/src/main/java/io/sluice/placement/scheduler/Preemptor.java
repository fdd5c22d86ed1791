package io.sluice.placement.scheduler;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.VmAddresses;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.placement.KeptRooms;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.placement.RoomWanted;
import io.sluice.messages.vm.EvictPod;
import io.sluice.messages.vm.EvictReply;
import io.sluice.messages.vm.NominateNode;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.PlacementObservations;
import io.sluice.placement.core.gangs.GangRecord;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.preemption.Preemptions;
import io.sluice.placement.core.preemption.SurplusVictims;
import io.sluice.placement.core.preemption.VictimChoice;
import io.sluice.placement.core.preemption.Victims;
import io.sluice.placement.core.queue.SchedulingView;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Has pods of lower priority evicted for a pod that no node can take, and keeps their room for it. It evicts one pod at
 * a time, for one pod at a time, and stops where an eviction is refused.
 */
final class Preemptor {
    private static final int CANDIDATES_MAX = 50;
    private static final String NO_EXPLANATION = "";
    private static final String ALL_NODES = "";
    private static final int PODS_MAX = 10_000;

    private final Bus bus;
    private final SchedulingView view;
    private final VictimChoice choice;
    private final SchedulingRules rules = SchedulingRules.withLedger();
    private final Preemptions preemptions = new Preemptions(PODS_MAX);
    private final OwnSchedulerMetrics meters;
    private final Surroundings around;
    private int turn;

    /**
     * What surrounds it.
     *
     * @param observations of pods that wait, and of nodes
     * @param may whether this process may act now
     */
    record Surroundings(
            PlacementConfig config, InstantSource clock, PlacementObservations observations, BooleanSupplier may) {
        boolean isOn() {
            return config.preemption();
        }
    }

    Preemptor(Bus bus, SchedulingView view, OwnSchedulerMetrics meters, Surroundings around) {
        this.bus = bus;
        this.view = view;
        this.choice = new VictimChoice(view.table());
        this.meters = meters;
        this.around = around;
    }

    /** The end of one eviction after the other. */
    private record Evictions(List<PodSpec> done, Optional<String> refusal) {
        Evictions ended(String reason) {
            return new Evictions(done, Optional.of(reason));
        }

        boolean inVain() {
            return done.isEmpty() && refusal.isPresent();
        }

        /** Those that leave: where none was refused, all. */
        List<PodSpec> leaving(List<PodSpec> victims) {
            return refusal.isPresent() ? done : victims;
        }
    }

    /** Respects the room that an earlier process has made for a pod. */
    void recall(PendingPod pod) {
        var node = pod.spec().preemption().nominatedNode();
        if (around.isOn()
                && !node.isEmpty()
                && SchedulingRules.allows(pod, view.table(), node)
                && view.table().nominations().node(pod.spec().uid()).isEmpty()) {
            nominate(pod, node);
        }
    }

    private boolean nominate(PendingPod pod, String node) {
        return view.table().nominations().put(pod.on(node));
    }

    /**
     * Makes room for a pod that no node can take, if that is possible and its turn.
     *
     * @param onlyForLedger whether another scheduler evicts pods for what the rules of Kubernetes exclude
     */
    void attempt(PendingPod pod, boolean onlyForLedger) {
        var spec = pod.spec();
        recall(pod);
        if (!around.isOn() || !preemptions.begin(spec.uid(), around.clock().instant())) {
            return;
        }
        var obstacle = choice.obstacle(pod);
        if (obstacle.isPresent()) {
            failed(spec, OwnSchedulerMetrics.Preemption.NOT_ELIGIBLE, obstacle.get());
            return;
        }
        var nodes = new LinkedHashSet<String>();
        view.table().nominations().node(spec.uid()).ifPresent(nodes::add);
        nodes.addAll(choice.candidates(pod, onlyForLedger, turn++ * CANDIDATES_MAX, CANDIDATES_MAX));
        Future.join(nodes.stream()
                        .map(node -> bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(node))
                                .otherwise(lost -> new Snapshot(List.of())))
                        .toList())
                .onSuccess(read -> choose(
                        pod,
                        read.<Snapshot>list().stream()
                                .flatMap(snapshot -> snapshot.nodes().stream())
                                .toList()));
    }

    private void choose(PendingPod pod, List<NodeLedgerView> ledgers) {
        var spec = pod.spec();
        ledgers.forEach(around.observations()::observed);
        var charges = charges(ledgers.stream());
        if (!around.may().getAsBoolean()
                || view.pending(spec.uid()).isEmpty()
                || charges.containsKey(spec.uid())
                || !rules.fitting(pod, view.table()).isEmpty()) {
            preemptions.notNeeded(spec.uid());
            return;
        }
        if (awaits(List.of(pod), ledgers)) {
            preemptions.waits(spec.uid(), around.clock().instant());
            return;
        }
        var onNodes = ledgers.stream()
                .filter(this::isInStep)
                .flatMap(ledger -> choice.choose(pod, view.budgets(), charges, List.of(ledger.node())).stream())
                .sorted(Victims.BETTER)
                .toList();
        Stream.<Predicate<Victims>>of(
                        victims -> refusal(victims.toEvict()).isEmpty(), victims -> mayRequest(victims.toEvict()))
                .flatMap(isPossible -> onNodes.stream().filter(isPossible))
                .findFirst()
                .ifPresentOrElse(victims -> evict(pod, victims), () -> noVictims(spec, onNodes));
    }

    private void noVictims(PodSpec pod, List<Victims> refused) {
        if (refused.isEmpty()) {
            failed(pod, OwnSchedulerMetrics.Preemption.NO_VICTIMS, NO_EXPLANATION);
        } else {
            var reason = refusal(refused.getFirst().toEvict()).orElse(NO_EXPLANATION);
            failed(pod, OwnSchedulerMetrics.Preemption.REFUSED, reason);
        }
    }

    private Optional<String> refusal(List<PodSpec> toEvict) {
        return Victims.refusal(toEvict, view.budgets());
    }

    /** The API server knows budgets best, and the refusal of one eviction leaves none in vain. */
    private static boolean mayRequest(List<PodSpec> toEvict) {
        return toEvict.size() == 1;
    }

    private static Map<String, Resources> charges(Stream<NodeLedgerView> ledgers) {
        return ledgers.flatMap(ledger -> ledger.reservations().stream())
                .collect(Collectors.toMap(
                        ReservationView::pod,
                        reservation -> reservation.traits().charge(),
                        (one, other) -> one));
    }

    /**
     * Makes room for a gang that does not fit, if members of other gangs are enough that those can do without.
     *
     * @param beingPlaced gangs of which no member may be evicted
     */
    void attempt(GangRecord gang, List<PendingPod> members, RoomScore score, Predicate<GangRecord> beingPlaced) {
        if (!around.config().gangs().preemption() || members.isEmpty()) {
            return;
        }
        var first = members.getFirst().spec();
        if (!preemptions.begin(first.uid(), around.clock().instant())) {
            return;
        }
        if (members.stream().anyMatch(member -> member.spec().preemption().never())) {
            failed(first, OwnSchedulerMetrics.Preemption.NOT_ELIGIBLE, "the preemption policy of a member is Never");
            return;
        }
        bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(ALL_NODES))
                .otherwise(lost -> new Snapshot(List.of()))
                .onSuccess(snapshot -> {
                    snapshot.nodes().forEach(around.observations()::observed);
                    choose(gang, members, score, beingPlaced, snapshot.nodes());
                });
    }

    private void choose(
            GangRecord gang,
            List<PendingPod> members,
            RoomScore score,
            Predicate<GangRecord> beingPlaced,
            List<NodeLedgerView> ledgers) {
        var first = members.getFirst().spec();
        if (!around.may().getAsBoolean() || !wait(members)) {
            preemptions.notNeeded(first.uid());
        } else if (awaits(members, ledgers)) {
            preemptions.waits(first.uid(), around.clock().instant());
        } else {
            var charges = charges(ledgers.stream().filter(this::isInStep));
            SurplusVictims.choose(gang, members, view.gangs(), beingPlaced, charges, view.table(), score)
                    .ifPresentOrElse(
                            victims -> evict(members, victims),
                            () -> failed(first, OwnSchedulerMetrics.Preemption.NO_VICTIMS, NO_EXPLANATION));
        }
    }

    /** Whether pods that were evicted for the first of them are still to end where one of them may go. */
    private boolean awaits(List<PendingPod> pods, List<NodeLedgerView> ledgers) {
        var uid = pods.getFirst().spec().uid();
        return ledgers.stream()
                .filter(ledger ->
                        preemptions.awaits(uid, charges(Stream.of(ledger)).keySet()))
                .anyMatch(ledger ->
                        pods.stream().anyMatch(pod -> SchedulingRules.allows(pod, view.table(), ledger.node())));
    }

    private boolean wait(List<PendingPod> pods) {
        return pods.stream()
                .map(pod -> pod.spec().uid())
                .allMatch(uid ->
                        view.pending(uid).isPresent() && view.table().pod(uid).isEmpty());
    }

    /** The room is kept for the gang's members where they fit then. */
    private void evict(List<PendingPod> members, SurplusVictims victims) {
        var first = members.getFirst().spec();
        var refusal = refusal(victims.pods());
        if (refusal.isPresent() && !mayRequest(victims.pods())) {
            failed(first, OwnSchedulerMetrics.Preemption.REFUSED, refusal.get());
            return;
        }
        victims.choices().forEach(choice -> nominate(choice.member(), choice.node()));
        evictNext(members, victims.pods(), List.of()).onSuccess(evictions -> {
            if (evictions.inVain()) {
                victims.choices()
                        .forEach(choice -> view.table()
                                .nominations()
                                .remove(choice.member().spec().uid()));
                failed(
                        first,
                        OwnSchedulerMetrics.Preemption.REFUSED,
                        evictions.refusal().get());
            } else {
                evicted(first, "", victims.pods(), evictions, "evicted for its gang: ");
            }
        });
    }

    /** What was evicted is awaited, and no more: what is left is for another attempt. */
    private void evicted(PodSpec pod, String node, List<PodSpec> victims, Evictions evictions, String what) {
        var leaving = evictions.leaving(victims);
        var explanation = what
                + Victims.names(leaving)
                + evictions.refusal().map(reason -> "; " + reason).orElse("");
        var now = around.clock().instant();
        if (evictions.refusal().isPresent()) {
            preemptions.partly(pod.uid(), leaving, explanation, now);
            meters.ended(OwnSchedulerMetrics.Preemption.REFUSED);
        } else {
            preemptions.evicted(pod.uid(), leaving, explanation, now);
            meters.ended(OwnSchedulerMetrics.Preemption.EVICTED);
        }
        decide(PlacementDecision.Kind.WAITS, pod, node, explanation);
    }

    /** Where the ledger counts a pod that is not observed on the node, one comes or goes: the next look shows which. */
    private boolean isInStep(NodeLedgerView ledger) {
        var observed =
                view.table().podsOn(ledger.node()).stream().map(PodSpec::uid).collect(Collectors.toSet());
        return ledger.reservations().stream().allMatch(reservation -> observed.contains(reservation.pod()));
    }

    private void evict(PendingPod pod, Victims victims) {
        var spec = pod.spec();
        var before = view.table().nominations().node(spec.uid());
        if (!nominate(pod, victims.node())) {
            failed(spec, OwnSchedulerMetrics.Preemption.FAILED, "room is made for too many pods already");
            return;
        }
        evictNext(List.of(pod), victims.toEvict(), List.of()).onSuccess(ended -> ended(pod, victims, before, ended));
    }

    /** @param preemptors as long as all of them wait */
    private Future<Evictions> evictNext(List<PendingPod> preemptors, List<PodSpec> left, List<PodSpec> done) {
        var evictions = new Evictions(done, Optional.empty());
        if (left.isEmpty()) {
            return Future.succeededFuture(evictions);
        }
        if (!around.may().getAsBoolean()) {
            return Future.succeededFuture(evictions.ended("another process places pods now"));
        }
        if (!wait(preemptors)) {
            return Future.succeededFuture(evictions.ended("a node takes it without the others"));
        }
        var preemptor = preemptors.getFirst().spec();
        var victim = left.getFirst();
        var request = new EvictPod(
                victim.uid(),
                victim.namespace(),
                victim.id().name(),
                victim.node(),
                new EvictPod.Preemptor(
                        preemptor.uid(), preemptor.namespace(), preemptor.id().name()),
                preemptor.schedulerName());
        return bus.request(VmAddresses.EVICT_POD, request)
                .otherwise(lost -> new EvictReply.Failed(lost.getMessage()))
                .compose(reply -> {
                    meters.evicted(reply);
                    var refusal = refusal(victim, reply);
                    if (refusal.isPresent()) {
                        return Future.succeededFuture(new Evictions(done, refusal));
                    }
                    decide(
                            PlacementDecision.Kind.EVICTED,
                            victim,
                            victim.node(),
                            "evicted for pod " + preemptor.label() + " of priority " + preemptor.priority());
                    var more = Stream.concat(done.stream(), Stream.of(victim)).toList();
                    return evictNext(preemptors, left.subList(1, left.size()), more);
                });
    }

    private static Optional<String> refusal(PodSpec victim, EvictReply reply) {
        return switch (reply) {
            case EvictReply.Evicted(), EvictReply.Gone() -> Optional.empty();
            case EvictReply.RefusedByBudget(var reason) ->
                Optional.of("the eviction of " + victim.label() + " is refused: " + reason);
            case EvictReply.Failed(var reason) ->
                Optional.of("the eviction of " + victim.label() + " has failed: " + reason);
        };
    }

    private void ended(PendingPod pod, Victims victims, Optional<String> before, Evictions evictions) {
        var spec = pod.spec();
        if (view.pending(spec.uid()).isEmpty()) {
            ended(spec.uid());
        } else if (evictions.inVain()) {
            before.ifPresentOrElse(
                    node -> nominate(pod, node),
                    () -> view.table().nominations().remove(spec.uid()));
            failed(
                    spec,
                    OwnSchedulerMetrics.Preemption.REFUSED,
                    evictions.refusal().get());
        } else {
            evicted(
                    spec,
                    victims.node(),
                    victims.pods(),
                    evictions,
                    "evicted for it from node " + victims.node() + ": ");
            write(spec, victims.node());
            displace(spec, victims.node());
        }
    }

    /** Pods of lower priority that room was made for on that node get none there. */
    private void displace(PodSpec preemptor, String node) {
        view.table().nominations().displacedBy(preemptor, node).forEach(this::takeBack);
    }

    private void takeBack(PendingPod pod) {
        view.table().nominations().remove(pod.spec().uid());
        write(pod.spec(), "");
    }

    /** Without it other schedulers and node autoscalers do not see that room is made. */
    private void write(PodSpec pod, String node) {
        bus.request(
                VmAddresses.NOMINATE_NODE,
                new NominateNode(pod.uid(), pod.namespace(), pod.id().name(), node));
    }

    private void failed(PodSpec pod, OwnSchedulerMetrics.Preemption outcome, String explanation) {
        var isNew = !preemptions.explanation(pod.uid()).equals(explanation);
        preemptions.failed(pod.uid(), explanation, around.clock().instant());
        meters.ended(outcome);
        if (isNew && !explanation.isEmpty()) {
            decide(PlacementDecision.Kind.WAITS, pod, "", explanation);
        }
    }

    private void decide(PlacementDecision.Kind kind, PodSpec pod, String node, String reason) {
        bus.publish(
                PlacementAddresses.DECISION,
                new PlacementDecision(kind, pod.uid(), pod.namespace(), pod.id().name(), node, reason));
    }

    /** kube-scheduler evicts nothing for pods that only the ledger is short of room for. */
    void makeRoom(RoomWanted wanted) {
        if (!around.may().getAsBoolean()) {
            return;
        }
        for (var uid : wanted.pods()) {
            // Of gangs nothing is evicted for one member.
            var spec = view.pending(uid)
                    .filter(pod -> !pod.terminating())
                    .filter(pod -> view.gangs().binding(uid).isEmpty());
            var observed = around.observations()
                    .pods()
                    .find(uid)
                    .filter(pod -> !pod.pod().migrationTarget());
            if (spec.isPresent() && observed.isPresent()) {
                attempt(Attempt.weighed(spec.get(), observed.get()), true);
            }
        }
    }

    /** What people should know of evictions for a pod that no node can take, after its reason; empty if nothing. */
    String explanation(PodSpec pod) {
        if (!around.isOn()) {
            return pod.priority() > 0 ? "; " + PlacementConfig.NO_PREEMPTION : "";
        }
        var explanation = preemptions.explanation(pod.uid());
        return explanation.isEmpty() ? "" : "; " + explanation;
    }

    /** What a full list lacks has ended. */
    void listed() {
        view.table().nominations().all().stream()
                .map(pod -> pod.spec().uid())
                .filter(uid -> view.pending(uid).isEmpty())
                .forEach(this::ended);
    }

    /** The pod is placed or has ended. */
    void ended(String uid) {
        preemptions.forget(uid);
        view.table().nominations().remove(uid);
    }

    /**
     * Publishes the rooms of pods for which others were evicted: one for each node, of the highest priority. It takes
     * back those on nodes that exclude their pods, whatever other pods do.
     */
    void publishRooms() {
        if (!around.may().getAsBoolean()) {
            return;
        }
        view.table().nominations().all().stream()
                .filter(pod ->
                        !SchedulingRules.allows(pod, view.table(), pod.spec().node()))
                .forEach(this::takeBack);
        if (!around.isOn()) {
            return;
        }
        Map<String, KeptRoom> byNode = new HashMap<>();
        view.table()
                .nominations()
                .all()
                .forEach(pod -> byNode.merge(
                        pod.spec().node(),
                        new KeptRoom(
                                pod.spec().node(),
                                pod.spec().uid(),
                                pod.spec().label(),
                                pod.charge(),
                                pod.spec().priority()),
                        (one, other) -> one.upTo() >= other.upTo() ? one : other));
        bus.publish(
                PlacementAddresses.NOMINATED,
                new KeptRooms(around.config().schedulerName(), List.copyOf(byNode.values())));
    }
}
