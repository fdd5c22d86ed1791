package io.sluice.placement.core.gangs;

import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.placement.core.GangAttemptId;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.gangs.GangAction.What;
import io.sluice.placement.core.gangs.GangAttempt.Phase;
import io.sluice.placement.core.rules.ClusterTable;
import io.sluice.placement.core.spec.PendingPod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The attempts that are under way, and what follows from each reply. */
final class GangProgress {
    private static final int ENDED_MAX = 1_000;

    final Map<String, GangUnderway> attempts = new LinkedHashMap<>();
    final Map<String, String> attemptOf = new HashMap<>();
    final Set<String> ended = new LinkedHashSet<>();
    private final Gangs gangs;
    private final ClusterTable cluster;
    private final GangSurroundings surroundings;
    private final int bindsAtOnce;

    GangProgress(Gangs gangs, ClusterTable cluster, GangSurroundings surroundings, int bindsAtOnce) {
        this.gangs = gangs;
        this.cluster = cluster;
        this.surroundings = surroundings;
        this.bindsAtOnce = bindsAtOnce;
    }

    List<GangAction> rejected(GangRecord record, String reason, Instant now) {
        boolean started = record.started() > 0 && record.lacking() > 0;
        record.failed(reason, now);
        gangs.changed(record);
        return List.of(new GangAction.Happened(record.key(), started ? What.DEGRADED : What.REJECTED, reason));
    }

    static String counted(GangRecord record, int fitting) {
        return record.counted() + fitting + "/"
                + record.spec().map(GangSpec::minMember).orElse(0);
    }

    GangUnderway start(List<GangRecord> records, String unique, boolean waits, boolean onRequest) {
        var need = records.stream().collect(Collectors.toMap(GangRecord::key, GangRecord::need));
        int started = records.stream().mapToInt(GangRecord::started).sum();
        int all = need.values().stream().mapToInt(Integer::intValue).sum();
        var id = new GangAttemptId(all, started, unique).text();
        var underway = new GangUnderway(new GangAttempt(id, need, waits, started > 0, onRequest));
        attempts.put(id, underway);
        return underway;
    }

    GangAction hold(GangUnderway underway, GangKey gang, PendingPod member, String node) {
        return hold(underway, gang, member, node, underway.nextHold());
    }

    GangAction hold(GangUnderway underway, GangKey gang, PendingPod member, String node, String id) {
        var uid = member.spec().uid();
        var observed = surroundings.observed(uid).orElseThrow();
        var attempt = new PlacementAttempt(observed, node, Optional.of(id));
        cluster.placed(member.spec().on(node));
        cluster.held(node, member.charge());
        underway.attempt.hold(uid, gang, node);
        underway.held.put(uid, attempt);
        underway.lastHolds.put(uid, id);
        attemptOf.put(uid, underway.attempt.id());
        return new GangAction.Hold(attempt);
    }

    void started(GangUnderway underway, String uid) {
        underway.attempt.bound(uid);
        underway.attempt.gangs().stream()
                .flatMap(key -> gangs.find(key).stream())
                .filter(record -> !record.startedOnce())
                .forEach(record -> {
                    record.hasStarted();
                    gangs.changed(record);
                });
    }

    /** What is done with an attempt. */
    interface Change {
        void apply(GangUnderway underway, List<GangAction> actions);
    }

    /** A reply for a hold that is over changes nothing. */
    List<GangAction> with(PlacementAttempt of, Instant now, Change change) {
        var uid = of.pod().pod().uid();
        return underWay(uid)
                        .filter(underway -> underway.held.containsKey(uid)
                                && underway.held.get(uid).id().equals(of.id()))
                        .isPresent()
                ? with(uid, now, change)
                : List.of();
    }

    List<GangAction> with(String uid, Instant now, Change change) {
        var actions = new ArrayList<GangAction>();
        underWay(uid).ifPresent(underway -> {
            change.apply(underway, actions);
            advance(underway, now, actions);
        });
        return actions;
    }

    Optional<GangUnderway> underWay(String uid) {
        return Optional.ofNullable(attemptOf.get(uid)).map(attempts::get);
    }

    void advance(GangUnderway underway, Instant now, List<GangAction> actions) {
        var attempt = underway.attempt;
        if (attempt.phase() == Phase.COLLECTING) {
            decide(underway, actions);
        }
        if (attempt.phase() == Phase.BINDING) {
            attempt.toBind(now, bindsAtOnce).forEach(uid -> actions.add(new GangAction.Bind(toBind(underway, uid))));
        }
        release(underway, actions);
        attempt.takeFailed().forEach(uid -> givenUp(underway, uid, actions));
        switch (attempt.phase()) {
            case COLLECTING, BINDING -> {}
            case OVER -> end(underway);
            case RELEASED -> {
                end(underway);
                attempt.gangs().stream()
                        .flatMap(key -> gangs.find(key).stream())
                        .forEach(record -> actions.addAll(rejected(record, underway.refusal, now)));
            }
        }
    }

    void decide(GangUnderway underway, List<GangAction> actions) {
        var attempt = underway.attempt;
        if (attempt.waits()) {
            attempt.gangs()
                    .forEach(key -> attempt.need(
                            key,
                            gangs.find(key)
                                    .filter(record -> record.spec().isPresent())
                                    .map(GangRecord::need)
                                    .orElse(Integer.MAX_VALUE)));
        }
        if (attempt.decide()) {
            attempt.gangs()
                    .forEach(key -> gangs.find(key).ifPresent(record -> {
                        record.satisfied();
                        gangs.changed(record);
                        actions.add(new GangAction.Happened(key, What.SATISFIED, ""));
                    }));
        } else if (!attempt.waits() && attempt.isComplete() && !attempt.isSatisfied()
                || attempt.members().isEmpty()) {
            attempt.release();
        }
    }

    /** With the newest version of the pod, unless what is held for it is not what it needs now. */
    PlacementAttempt toBind(GangUnderway underway, String uid) {
        var held = underway.held.get(uid);
        var newest = surroundings
                .observed(uid)
                .filter(pod -> pod.charge().equals(held.pod().charge())
                        && pod.pod().fixed().equals(held.pod().pod().fixed()))
                .map(pod -> new PlacementAttempt(pod, held.node(), held.id()))
                .orElse(held);
        underway.held.put(uid, newest);
        return newest;
    }

    void release(GangUnderway underway, List<GangAction> actions) {
        underway.attempt.takeReleases().forEach((uid, node) -> {
            var hold = new ReleaseHold(node, uid, underway.lastHolds.getOrDefault(uid, underway.attempt.id()));
            forget(underway, uid);
            actions.add(new GangAction.Release(hold));
        });
    }

    /** The pod counts on its node no longer. */
    void forget(GangUnderway underway, String uid) {
        underway.inDoubt.remove(uid);
        attemptOf.remove(uid, underway.attempt.id());
        Optional.ofNullable(underway.held.remove(uid)).ifPresent(held -> {
            cluster.podGone(uid);
            cluster.freed(held.node(), held.pod().charge());
        });
    }

    void givenUp(GangUnderway underway, String uid, List<GangAction> actions) {
        gangs.of(uid).ifPresent(record -> {
            record.single(uid);
            gangs.changed(record);
            actions.add(new GangAction.Requeue(uid));
            actions.add(new GangAction.Happened(
                    record.key(),
                    What.DEGRADED,
                    record.member(uid).map(GangMember::name).orElse(uid) + " could not be bound: " + underway.refusal));
        });
    }

    void end(GangUnderway underway) {
        attempts.remove(underway.attempt.id());
        ended.add(underway.attempt.id());
        if (ended.size() > ENDED_MAX) {
            ended.remove(ended.iterator().next());
        }
        underway.held.keySet().forEach(uid -> attemptOf.remove(uid, underway.attempt.id()));
    }
}
