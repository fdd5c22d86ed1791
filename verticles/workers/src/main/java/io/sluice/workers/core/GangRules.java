package io.sluice.workers.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Instances that start together or not at all. Room is held for one after the other, and no worker is given an order
 * before it is held for as many as the gang requires; all of them are written in one step. One gang is tried at a time,
 * so that no two hold half of what they need.
 */
final class GangRules {
    private static final Duration HELD_MAX = Duration.ofSeconds(5);

    /** How often a worker may refuse a member before the gang is given up. */
    private static final int REFUSALS_MAX = 4;

    private final WorkerTables state;
    private final InstanceRules rules;
    private final Map<String, Backoff> backoffs = new HashMap<>();
    private Optional<Attempt> current = Optional.empty();

    private record Backoff(int failures, Instant until) {
        static final Backoff NONE = new Backoff(0, Instant.MIN);

        Backoff next(Instant now) {
            return new Backoff(
                    failures + 1, now.plus(FleetTiming.backoff(failures + 1, FleetTiming.PLACE_BACKOFF_MAX)));
        }
    }

    /** Members for which room is held, or is to be. */
    private static final class Attempt {
        private final String gang;
        private final int needed;
        private final Instant until;
        private final Deque<Instance> left;
        private final Map<String, String> held = new LinkedHashMap<>();
        private String obstacle = "";

        Attempt(String gang, int needed, List<Instance> members, Instant until) {
            this.gang = gang;
            this.needed = needed;
            this.left = new ArrayDeque<>(members);
            this.until = until;
        }

        boolean tries(String uid) {
            return !left.isEmpty() && left.getFirst().uid().equals(uid);
        }

        boolean isHopeless() {
            return held.size() + left.size() < needed;
        }
    }

    GangRules(WorkerTables state, InstanceRules rules) {
        this.state = state;
        this.rules = rules;
    }

    /** Whether it has started, or moves to another worker meanwhile. */
    private boolean counts(Instance member) {
        return state.replaced(member.id()).isPresent() || isOrdered(member);
    }

    private static boolean isOrdered(Instance member) {
        return switch (member.state()) {
            case ASSIGNED, CREATING, RUNNING, UNKNOWN, REPLACED, RECREATING -> !member.removed();
            case PENDING, DESTROYING, TERMINATED, FAILED -> false;
        };
    }

    /** How many more have to start together. */
    private int needed(List<Instance> members) {
        int least = members.stream()
                .mapToInt(member -> member.spec().gang().least())
                .max()
                .orElse(1);
        return least - (int) members.stream().filter(this::counts).count();
    }

    /** Whether a pending instance waits for no other. */
    boolean placesAlone(Instance instance) {
        var gang = instance.spec().gang();
        return gang.isNone() || !isTried(instance.uid()) && (counts(instance) || needed(state.gang(gang.name())) <= 1);
    }

    /** Whether room is held for it, or is to be, together with others. */
    boolean isTried(String uid) {
        return current.filter(attempt -> attempt.held.containsKey(uid)
                        || attempt.left.stream().anyMatch(member -> member.uid().equals(uid)))
                .isPresent();
    }

    /** Tries the gang that waits longest, if none is being tried. */
    void begin(Instant now) {
        if (current.isPresent()) {
            return;
        }
        current = state.gangs().stream()
                .filter(gang ->
                        !backoffs.getOrDefault(gang, Backoff.NONE).until().isAfter(now))
                .flatMap(gang -> attempt(gang, now).stream())
                .min(Comparator.comparing(
                        attempt -> attempt.left.getFirst().status().since()));
        current.ifPresent(attempt -> next(attempt, now));
    }

    private Optional<Attempt> attempt(String gang, Instant now) {
        var members = state.gang(gang);
        int needed = needed(members);
        if (needed <= 1) {
            return Optional.empty();
        }
        // The largest first: what has room only here finds it.
        var waiting = members.stream()
                .filter(member -> member.state() == InstanceState.PENDING && !counts(member))
                .sorted(Comparator.comparing(
                                (Instance member) -> member.granted().milliCpu())
                        .reversed())
                .limit(InstanceSpec.Gang.LEAST_MAX)
                .toList();
        if (waiting.size() < needed) {
            waiting.stream()
                    .filter(member -> !member.status().reason().startsWith("GANG_TOO_FEW_MEMBERS"))
                    .forEach(member -> rules.waits(
                            member, "GANG_TOO_FEW_MEMBERS(" + waiting.size() + "/" + needed + "): gang " + gang, now));
            return Optional.empty();
        }
        return Optional.of(new Attempt(gang, needed, waiting, now.plus(HELD_MAX)));
    }

    private void next(Attempt attempt, Instant now) {
        if (attempt.left.isEmpty() || attempt.isHopeless()) {
            decide(attempt, now);
        } else {
            state.act(new FleetAction.Place(attempt.left.getFirst()));
        }
    }

    /** Room for a member is held on that worker; returns whether it was its turn. */
    boolean held(String uid, String worker, Instant now) {
        var attempt = current.filter(its -> its.tries(uid));
        attempt.ifPresent(its -> {
            its.left.removeFirst();
            its.held.put(uid, worker);
            next(its, now);
        });
        return attempt.isPresent();
    }

    /** No room is held for it, or not any more. */
    void notPlaced(String uid, String reason, Instant now) {
        current.filter(attempt -> attempt.tries(uid) || attempt.held.containsKey(uid))
                .ifPresent(attempt -> {
                    attempt.left.removeIf(member -> member.uid().equals(uid));
                    if (attempt.held.remove(uid) != null) {
                        state.act(new FleetAction.Decided(uid, Optional.of(reason)));
                    }
                    attempt.obstacle = reason;
                    next(attempt, now);
                });
    }

    private void decide(Attempt attempt, Instant now) {
        current = Optional.empty();
        var members = new HashMap<String, Instance>();
        state.gang(attempt.gang).stream()
                .filter(member -> member.state() == InstanceState.PENDING && !counts(member))
                .forEach(member -> members.put(member.uid(), member));
        var usable = attempt.held.keySet().stream().filter(members::containsKey).toList();
        var reason = "GANG_NO_ROOM(" + usable.size() + "/" + attempt.needed + "): " + attempt.obstacle;
        if (usable.size() >= attempt.needed) {
            backoffs.remove(attempt.gang);
            usable.forEach(uid -> {
                rules.assign(members.remove(uid), attempt.held.remove(uid), now);
                state.act(new FleetAction.Decided(uid, Optional.empty()));
            });
        } else {
            backoffs.merge(attempt.gang, Backoff.NONE.next(now), (before, first) -> before.next(now));
        }
        members.values().forEach(member -> rules.waits(member, reason, now));
        attempt.held.keySet().forEach(uid -> state.act(new FleetAction.Decided(uid, Optional.of(reason))));
    }

    /** There may be room now. */
    void roomCame() {
        backoffs.clear();
    }

    /**
     * A worker has refused an instance. Of a gang of which none runs yet it is tried there again; after too many
     * refusals all members stop, and wait again.
     *
     * @return whether it is of such a gang
     */
    boolean refused(String id, Instant now) {
        var refused = state.instance(id).orElseThrow();
        var gang = refused.spec().gang().name();
        var members = state.gang(gang);
        if (members.isEmpty() || members.stream().anyMatch(member -> member.state() == InstanceState.RUNNING)) {
            return false;
        }
        if (refused.retry().failures() >= REFUSALS_MAX) {
            var reason = "gang " + gang + " did not start: " + refused.status().reason();
            members.forEach(member -> giveUp(member, reason, now));
            backoffs.merge(gang, Backoff.NONE.next(now), (before, first) -> before.next(now));
        }
        return true;
    }

    private void giveUp(Instance member, String reason, Instant now) {
        boolean ordered = member.state() == InstanceState.ASSIGNED || member.state() == InstanceState.CREATING;
        if (ordered && !member.removed()) {
            rules.stopFirst(member, reason, now);
        } else if (member.state() == InstanceState.PENDING) {
            state.keep(member.with(new Instance.Retry(0, now)));
        }
    }

    /** What time alone changes. */
    void passed(Instant now) {
        current.filter(attempt -> !now.isBefore(attempt.until)).ifPresent(attempt -> {
            attempt.obstacle = "room was not held for all within " + HELD_MAX.toSeconds() + " s";
            attempt.left.clear();
            decide(attempt, now);
        });
        backoffs.keySet().retainAll(state.gangs());
    }
}
