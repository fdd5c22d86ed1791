package io.sluice.placement.core.gangs;

import io.sluice.devices.GpuNames;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.placement.core.GangAttemptId;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.gangs.GangAttempt.Phase;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Starts gangs. It collects one at a time: it holds room for each member, then has all of them bound, or releases all.
 * Gangs whose members are held singly wait beside it, until their deadline. One process of a Kubernetes cluster does
 * so. What it returns is to be done in that order.
 */
public final class GangCollector {
    private static final int NODES_TRIED_MAX = 5;
    private static final Duration TOUCHED_AGAIN_AFTER = Duration.ofSeconds(2);

    private final Gangs gangs;
    private final ClusterTable cluster;
    private final SchedulingRules rules;
    private final GangSurroundings surroundings;
    private final GangOptions options;
    private final GangProgress progress;
    private final GangRooms rooms;

    public GangCollector(Gangs gangs, ClusterTable cluster, SchedulingRules rules, GangSurroundings surroundings) {
        this.gangs = gangs;
        this.cluster = cluster;
        this.rules = rules;
        this.surroundings = surroundings;
        this.options = gangs.options();
        this.progress = new GangProgress(gangs, cluster, surroundings, options.bindsAtOnce());
        this.rooms = new GangRooms(gangs, cluster, surroundings);
    }

    /** The attempts that are under way. */
    public Collection<GangAttempt> attempts() {
        return progress.attempts.values().stream()
                .map(underway -> underway.attempt)
                .toList();
    }

    /** Whether a pod takes part in an attempt. */
    public boolean isUnderWay(String uid) {
        return progress.attemptOf.containsKey(uid);
    }

    /** Whether a gang has members whose room is held, or which are being bound. */
    public boolean isUnderWay(GangKey gang) {
        return progress.attempts.values().stream()
                .anyMatch(underway -> underway.attempt.gangs().contains(gang));
    }

    /** Whether a gang is collected now, so that no other one may be. */
    public boolean collects() {
        return progress.attempts.values().stream()
                .anyMatch(underway -> underway.attempt.phase() == Phase.COLLECTING && !underway.attempt.waits());
    }

    /** The gang that is tried next; empty if none may be now. */
    public Optional<GangRecord> next(Instant now) {
        return next(now, record -> false);
    }

    /** @param excluded gangs that are not tried */
    public Optional<GangRecord> next(Instant now, Predicate<GangRecord> excluded) {
        return collects()
                ? Optional.empty()
                : gangs.first(
                        now,
                        record -> record.spec().filter(GangSpec::waits).isPresent()
                                || isUnderWay(record.key())
                                || excluded.test(record)
                                || placeable(record).size() < Math.max(1, record.need()));
    }

    /** The members that can be placed with it now. */
    public List<PendingPod> placeable(GangRecord record) {
        return record.pending().stream()
                .filter(member -> !isUnderWay(member.uid()))
                .flatMap(member -> placeable(member.uid()).stream())
                .toList();
    }

    /** A pod whose both observations are there, and which no earlier bind may have put on a node. */
    private Optional<PendingPod> placeable(String uid) {
        var observed = surroundings.observed(uid).filter(pod -> !pod.pod().migrationTarget());
        return surroundings
                .spec(uid)
                .filter(spec -> cluster.pod(uid).isEmpty())
                .flatMap(spec -> observed.filter(
                                pod -> pod.pod().version() >= spec.id().version())
                        .map(pod -> new PendingPod(spec, pod.charge(), pod.pod())));
    }

    /** Tries to start a gang. */
    public List<GangAction> begin(GangRecord record, Instant now) {
        return begin(record, Map.of(), false, now);
    }

    /**
     * Tries to hold room for a gang whose members another scheduler binds.
     *
     * @param uid of the first member that it tries
     * @param nodes that this member may have
     */
    public List<GangAction> beginFor(GangRecord record, String uid, BitSet nodes, Instant now) {
        return begin(record, Map.of(uid, nodes), true, now);
    }

    private List<GangAction> begin(GangRecord record, Map<String, BitSet> only, boolean onRequest, Instant now) {
        var members = placeable(record);
        var shortage = shortage(record);
        if (shortage.isPresent()) {
            return progress.rejected(record, shortage.get(), now);
        }
        var plan = WholeGang.plan(members, Math.max(1, record.need()), cluster, rules, surroundings.score(), only);
        if (!plan.fits()) {
            return progress.rejected(
                    record,
                    "GANG_NO_ROOM(" + GangProgress.counted(record, plan.fitting()) + "): " + plan.obstacle(),
                    now);
        }
        var underway = progress.start(List.of(record), rooms.unique(record), false, onRequest);
        var actions = new ArrayList<GangAction>();
        plan.choices()
                .forEach(choice -> actions.add(progress.hold(underway, record.key(), choice.member(), choice.node())));
        return actions;
    }

    /**
     * Keeps room for a gang that waits long, and tries it at once where all its members fit. To be called each second,
     * as what is not requested again ends.
     */
    public List<GangAction> keepRooms(Instant now) {
        var next = rooms.next(record -> isUnderWay(record.key()), now);
        boolean underWay = next.filter(record -> isUnderWay(record.key())).isPresent();
        var members = next.map(this::placeable).orElse(List.of());
        var requests = rooms.requests(next, members, underWay, now);
        next.filter(record -> !underWay && record.backoffUntil().isPresent())
                .filter(record -> shortage(record).isEmpty()
                        && WholeGang.plan(members, Math.max(1, record.need()), cluster, rules, surroundings.score())
                                .fits())
                .ifPresent(record -> {
                    record.hasRoom();
                    gangs.changed(record);
                });
        return requests.stream().<GangAction>map(GangAction.Keep::new).toList();
    }

    /** Applies the reply to a request to keep room. */
    public void kept(KeptRoom room, KeepReply reply) {
        rooms.replied(room, reply);
    }

    /** What all nodes together lack of what the members need that are still to be held. */
    private Optional<String> shortage(GangRecord record) {
        var spec = record.spec().orElseThrow();
        var amounts = new TreeMap<String, String>();
        spec.minResources().forEach((resource, all) -> {
            long needed = all * record.need() / spec.minMember();
            long free = cluster.free(resource);
            // Of GPUs the plan counts what each device has.
            if (needed > free && !GpuNames.isGpu(resource)) {
                amounts.put(
                        resource,
                        resource + " " + SchedulingRules.amount(resource, free) + " of "
                                + SchedulingRules.amount(resource, needed));
            }
        });
        return amounts.isEmpty()
                ? Optional.empty()
                : Optional.of("GANG_MIN_RESOURCES(" + String.join(", ", amounts.values()) + " are free)");
    }

    /** Applies the reply to a request to hold room for a member; empty if there was none. */
    public List<GangAction> held(PlacementAttempt hold, Optional<HoldReply> reply, Instant now) {
        return progress.with(hold, now, (underway, actions) -> {
            var uid = hold.pod().pod().uid();
            switch (hold.held(reply)) {
                case PlacementAttempt.End end -> {
                    underway.refusal = "GANG_NOT_HELD: " + end.reason();
                    underway.attempt.refused(uid, end.release().isPresent());
                    progress.forget(underway, uid);
                    if (underway.attempt.phase() == Phase.COLLECTING
                            && end.outcome() == PlacementAttempt.Outcome.HOLD_REFUSED
                            && !(reply.orElseThrow() instanceof HoldReply.Gone)) {
                        elsewhere(underway, uid, hold.node()).ifPresent(actions::add);
                    }
                }
                case PlacementAttempt.Step _ -> underway.attempt.held(uid, now);
            }
        });
    }

    /** Tries the next best node of a member, where the ledger of one has refused it. */
    private Optional<GangAction> elsewhere(GangUnderway underway, String uid, String node) {
        var refused = underway.refused.computeIfAbsent(uid, added -> new BitSet());
        cluster.known(node).ifPresent(refused::set);
        var gang = gangs.of(uid);
        var member = placeable(uid);
        if (gang.isEmpty() || member.isEmpty() || refused.cardinality() >= NODES_TRIED_MAX) {
            return Optional.empty();
        }
        var fitting = rules.fitting(member.get(), cluster);
        fitting.andNot(refused);
        return fitting.isEmpty()
                ? Optional.empty()
                : Optional.of(progress.hold(
                        underway,
                        gang.get().key(),
                        member.get(),
                        cluster.name(SchedulingRules.best(member.get(), cluster, fitting, surroundings.score()))));
    }

    /** Applies how the bind or the touch of a member ended. */
    public List<GangAction> bound(PlacementAttempt bind, PlacementAttempt.End end, Instant now) {
        return progress.with(bind, now, (underway, actions) -> {
            var uid = bind.pod().pod().uid();
            underway.inDoubt.remove(uid);
            switch (end.outcome()) {
                case PLACED -> progress.started(underway, uid);
                case IN_DOUBT -> underway.inDoubt.put(uid, now.plus(TOUCHED_AGAIN_AFTER));
                case NOT_BOUND, NOT_PENDING, HOLD_REFUSED, HOLD_LOST -> {
                    underway.refusal = "GANG_NOT_BOUND: " + end.reason();
                    underway.attempt.notBound(uid, now);
                }
            }
        });
    }

    /** Applies the end of a node, and of what was held there. */
    public List<GangAction> nodeGone(String node, Instant now) {
        var actions = new ArrayList<GangAction>();
        for (var underway : List.copyOf(progress.attempts.values())) {
            var attempt = underway.attempt;
            var there = attempt.members().entrySet().stream()
                    .filter(member -> member.getValue().node().equals(node))
                    .map(Map.Entry::getKey)
                    .toList();
            if (!there.isEmpty()) {
                underway.refusal = "GANG_NOT_BOUND: node " + node + " is gone";
                if (attempt.phase() == Phase.BINDING) {
                    attempt.giveUp(there::contains);
                } else {
                    there.forEach(attempt::gone);
                }
                progress.advance(underway, now, actions);
            }
        }
        return actions;
    }

    /** Applies that a pod was observed on a node. */
    public List<GangAction> observedOn(String uid, String node, Instant now) {
        return progress.with(uid, now, (underway, actions) -> {
            var held = underway.held.get(uid);
            underway.inDoubt.remove(uid);
            if (held != null && held.node().equals(node)) {
                progress.started(underway, uid);
            } else {
                underway.attempt.gone(uid);
            }
        });
    }

    /** Applies the end of a pod. */
    public List<GangAction> gone(String uid, Instant now) {
        return progress.with(uid, now, (underway, actions) -> {
            underway.inDoubt.remove(uid);
            underway.attempt.gone(uid);
        });
    }

    /** Binds again, touches again, and ends what has waited until its deadline. */
    public List<GangAction> look(Instant now) {
        var actions = new ArrayList<GangAction>();
        for (var underway : List.copyOf(progress.attempts.values())) {
            var due = underway.inDoubt.entrySet().stream()
                    .filter(touch -> !now.isBefore(touch.getValue()))
                    .map(Map.Entry::getKey)
                    .toList();
            due.forEach(uid -> {
                underway.inDoubt.remove(uid);
                actions.add(new GangAction.Touch(underway.held.get(uid)));
            });
            if (underway.attempt
                    .deadline(timeout(underway))
                    .filter(end -> !now.isBefore(end))
                    .isPresent()) {
                underway.refusal = "GANG_TIMEOUT: the others were not held within "
                        + timeout(underway).toSeconds() + " s";
                if (underway.attempt.phase() == Phase.COLLECTING) {
                    underway.attempt.release();
                } else {
                    underway.attempt.giveUp(uid -> true);
                }
            }
            progress.advance(underway, now, actions);
        }
        return actions;
    }

    /** Another scheduler requests the bind of a member on the node on which its room is held. */
    public List<GangAction> request(String uid, Instant now) {
        return progress.with(uid, now, (underway, actions) -> underway.attempt.request(uid));
    }

    /** Another scheduler does not take the node on which room for a member is held. */
    public List<GangAction> reject(String uid, Instant now) {
        return progress.with(uid, now, (underway, actions) -> {
            underway.refusal = "GANG_REJECTED: kube-scheduler excludes the node of a member";
            underway.attempt.giveUp(uid::equals);
        });
    }

    private Duration timeout(GangUnderway underway) {
        return underway.attempt.gangs().stream()
                .flatMap(gang -> gangs.find(gang).flatMap(GangRecord::spec).stream())
                .map(GangSpec::timeout)
                .min(Duration::compareTo)
                .orElse(options.timeout());
    }

    /** Whether a pod is to be held singly, and waits for the others of its gang. */
    public boolean waits(String uid) {
        return gangs.binding(uid)
                .flatMap(GangRecord::spec)
                .filter(GangSpec::waits)
                .isPresent();
    }

    /** Holds room for a member that waits for the others then. */
    public List<GangAction> holdSingly(PendingPod member, String node, Instant now) {
        var uid = member.spec().uid();
        var record = gangs.of(uid).orElseThrow();
        return List.of(progress.hold(waiting(record), record.key(), member, node));
    }

    private GangUnderway waiting(GangRecord record) {
        return progress.attempts.values().stream()
                .filter(underway -> underway.attempt.phase() == Phase.COLLECTING
                        && underway.attempt.gangs().contains(record.key()))
                .findFirst()
                .orElseGet(() -> progress.start(
                        gangs.group(record).stream()
                                .map(key -> gangs.find(key).orElseGet(() -> new GangRecord(key, options.backoff())))
                                .toList(),
                        surroundings.unique(),
                        true,
                        false));
    }

    /** A member that is held singly finds no node: its gang is released, unless few members lack. */
    public List<GangAction> noNode(String uid, String reason, Instant now) {
        var record = gangs.of(uid);
        var attempt = record.flatMap(gang -> progress.attempts.values().stream()
                .filter(underway -> underway.attempt.phase() == Phase.COLLECTING
                        && underway.attempt.gangs().contains(gang.key()))
                .findFirst());
        if (record.isEmpty() || attempt.isEmpty()) {
            return List.of();
        }
        int least = record.get().spec().map(GangSpec::minMember).orElse(0);
        int found = attempt.get().attempt.requested(record.get().key());
        int lacking = record.get().need() - found;
        var actions = new ArrayList<GangAction>();
        if (lacking * 100 > options.rejectPercentage() * least) {
            attempt.get().refusal = "GANG_NO_ROOM(" + GangProgress.counted(record.get(), found) + "): " + reason;
            attempt.get().attempt.release();
            progress.advance(attempt.get(), now, actions);
        }
        return actions;
    }

    /**
     * Takes over attempts of another process, or of this one before it stopped: those that had all holds are finished,
     * all others are released, as is what is held for pods that have ended. No bind of another process may take effect
     * any more. What is held for a pod on the node to which it is bound stays: its observation takes that over.
     *
     * @param ledgers of all nodes on which room is held
     */
    public List<GangAction> adopt(List<NodeLedgerView> ledgers, Instant now) {
        var actions = new ArrayList<GangAction>();
        GangAttemptId.leftOver(ledgers).forEach((id, holds) -> {
            if (!progress.attempts.containsKey(id.text())) {
                holds.forEach((uid, hold) -> cluster.pod(uid)
                        .filter(pod -> !pod.node().equals(hold.node()))
                        .ifPresent(elsewhere -> actions.add(new GangAction.Release(hold))));
                holds.forEach((uid, hold) -> {
                    if (hasEnded(uid)) {
                        actions.add(new GangAction.Release(hold));
                    }
                });
                holds.keySet().removeIf(uid -> placeable(uid).isEmpty());
                adopt(id, holds, now, actions);
            }
        });
        return actions;
    }

    /** Whether nothing is known of a pod, of which all are known that existed when room was held for them. */
    private boolean hasEnded(String uid) {
        return cluster.pod(uid).isEmpty()
                && surroundings.spec(uid).isEmpty()
                && surroundings.observed(uid).isEmpty()
                && gangs.of(uid)
                        .flatMap(record -> record.member(uid))
                        .filter(member -> member.end() == GangMember.End.NONE)
                        .isEmpty();
    }

    private void adopt(GangAttemptId id, Map<String, ReleaseHold> holds, Instant now, List<GangAction> actions) {
        var records = holds.keySet().stream()
                .flatMap(uid -> gangs.binding(uid).or(() -> gangs.of(uid)).stream())
                .distinct()
                .toList();
        int started = records.stream().mapToInt(GangRecord::started).sum();
        if (holds.isEmpty()) {
            return;
        }
        boolean over = progress.ended.contains(id.text()) || !id.isDecided(holds.size(), started);
        if (over || records.isEmpty()) {
            holds.values().forEach(hold -> actions.add(new GangAction.Release(hold)));
            return;
        }
        var need = records.stream().collect(Collectors.toMap(GangRecord::key, GangRecord::lacking));
        var underway = new GangUnderway(
                new GangAttempt(id.text(), need, false, started > 0, surroundings.bindsOnRequest(records)));
        progress.attempts.put(id.text(), underway);
        holds.forEach((uid, hold) -> {
            var member = placeable(uid).orElseThrow();
            // Held again, as its release may be under way.
            gangs.of(uid).ifPresent(record -> {
                actions.add(progress.hold(underway, record.key(), member, hold.node(), hold.attempt()));
                cluster.freed(hold.node(), member.charge());
            });
        });
        progress.advance(underway, now, actions);
    }

    /** How far a pod is in its attempt, and on which node; empty if it is in none. */
    public Optional<GangAttempt.Held> held(String uid) {
        return progress.underWay(uid)
                .flatMap(underway ->
                        Optional.ofNullable(underway.attempt.members().get(uid)));
    }
}
