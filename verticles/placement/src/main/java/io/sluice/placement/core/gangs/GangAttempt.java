package io.sluice.placement.core.gangs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One attempt to start gangs: room is held for members, and once it is held for enough of each gang, all are bound.
 * Otherwise all holds are released. No bind begins before that decision. The decision needs no record of its own: holds
 * carry the attempt's id, which has the number that is needed, so each process finds the same decision in the ledger.
 */
public final class GangAttempt {
    /** How often a bind is tried again. */
    static final int RETRIES = 3;

    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

    private final String id;
    private final Map<GangKey, Integer> need;
    private final boolean waits;
    private final boolean startedBefore;
    private final Optional<Set<String>> requested;
    private final Map<String, Held> members = new LinkedHashMap<>();
    private final Map<String, String> releases = new LinkedHashMap<>();
    private final List<String> failed = new ArrayList<>();
    private Phase phase = Phase.COLLECTING;
    private Optional<Instant> firstHeldAt = Optional.empty();

    /** How far it is. */
    public enum Phase {
        COLLECTING,
        BINDING,
        /** Nothing is held any more, and nothing was bound. */
        RELEASED,
        /** All members that it had are bound or given up. */
        OVER
    }

    /** How far a member is. */
    public enum Step {
        HOLDING,
        HELD,
        BINDING,
        /** Its bind failed, and is tried again. */
        RETRIED,
        BOUND,
        /** Its binds failed, and it is given up once the others show whether the gang has started. */
        FAILED
    }

    /** A member of the attempt. */
    public static final class Held {
        private final GangKey gang;
        private final String node;
        private Step step = Step.HOLDING;
        private int binds;
        private Optional<Instant> notBefore = Optional.empty();

        private Held(GangKey gang, String node) {
            this.gang = gang;
            this.node = node;
        }

        public GangKey gang() {
            return gang;
        }

        public String node() {
            return node;
        }

        public Step step() {
            return step;
        }
    }

    /**
     * @param need how many of each gang have to be held
     * @param waits whether members are held singly
     * @param startedBefore whether some members of the gangs were bound before
     * @param onRequest whether another scheduler requests the bind of each member
     */
    public GangAttempt(String id, Map<GangKey, Integer> need, boolean waits, boolean startedBefore, boolean onRequest) {
        this.requested = onRequest ? Optional.of(new HashSet<>()) : Optional.empty();
        this.id = id;
        this.need = new TreeMap<>(need);
        this.waits = waits;
        this.startedBefore = startedBefore;
    }

    public String id() {
        return id;
    }

    public Phase phase() {
        return phase;
    }

    /** Whether members are held singly. */
    public boolean waits() {
        return waits;
    }

    /** The gangs that it starts, by name. */
    public Collection<GangKey> gangs() {
        return Collections.unmodifiableCollection(need.keySet());
    }

    /** Its members and how far each is, by uid. */
    public Map<String, Held> members() {
        return Collections.unmodifiableMap(members);
    }

    /** Applies how many of a gang have to be held now. */
    void need(GangKey gang, int members) {
        if (phase == Phase.COLLECTING) {
            need.put(gang, members);
        }
    }

    /** Room for a member is requested. */
    void hold(String uid, GangKey gang, String node) {
        members.put(uid, new Held(gang, node));
    }

    /** Room for a member is held. */
    void held(String uid, Instant now) {
        at(uid, Step.HOLDING).ifPresent(member -> {
            member.step = Step.HELD;
            firstHeldAt = firstHeldAt.or(() -> Optional.of(now));
        });
        settle();
    }

    /**
     * Room for a member is not held.
     *
     * @param maybe whether it may be held all the same, so that it has to be released
     */
    void refused(String uid, boolean maybe) {
        at(uid, Step.HOLDING).ifPresent(member -> {
            members.remove(uid);
            if (maybe) {
                releases.put(uid, member.node);
            }
        });
        settle();
    }

    private Optional<Held> at(String uid, Step step) {
        return Optional.ofNullable(members.get(uid)).filter(member -> member.step == step);
    }

    /** Whether the replies for all members have come. */
    boolean isComplete() {
        return members.values().stream().noneMatch(member -> member.step == Step.HOLDING);
    }

    /** How many members of a gang are held. */
    int held(GangKey gang) {
        return (int) members.values().stream()
                .filter(member -> member.gang.equals(gang) && member.step == Step.HELD)
                .count();
    }

    /** How many members of a gang are held, or may be soon. */
    int requested(GangKey gang) {
        return (int) members.values().stream()
                .filter(member -> member.gang.equals(gang))
                .count();
    }

    /** Whether enough of each gang is held. */
    boolean isSatisfied() {
        return need.entrySet().stream().allMatch(gang -> held(gang.getKey()) >= gang.getValue());
    }

    /** Begins to bind, if enough of each gang is held. Returns whether it does from now on. */
    boolean decide() {
        if (phase != Phase.COLLECTING || !isSatisfied() || members.isEmpty() || !waits && !isComplete()) {
            return false;
        }
        phase = Phase.BINDING;
        return true;
    }

    /** Releases all holds. A hold that is under way is released too, since no bind has begun. */
    void release() {
        members.forEach((uid, member) -> releases.put(uid, member.node));
        members.clear();
        phase = Phase.RELEASED;
    }

    /** The deadline of members that wait, for others or for a request; empty where nothing is held yet. */
    public Optional<Instant> deadline(Duration timeout) {
        return firstHeldAt
                .filter(first -> phase == Phase.COLLECTING ? waits : onRequest() && phase == Phase.BINDING)
                .map(first -> first.plus(timeout));
    }

    /** Whether another scheduler requests the bind of each member. */
    boolean onRequest() {
        return requested.isPresent();
    }

    /** Another scheduler requests the bind of a member. */
    void request(String uid) {
        requested.ifPresent(all -> all.add(uid));
    }

    /** The other scheduler does not bind these members: those that it has rejected, or all that it has left. */
    void giveUp(Predicate<String> which) {
        members.forEach((uid, member) -> {
            if (which.test(uid) && (member.step == Step.HELD || member.step == Step.RETRIED)) {
                member.step = Step.FAILED;
            }
        });
        settle();
    }

    /**
     * The members that are to be bound now, at most so many at a time. Where a bind has failed and nothing has started
     * yet, the others wait for it: nothing need be kept then if it fails for good.
     */
    List<String> toBind(Instant now, int most) {
        if (phase != Phase.BINDING) {
            return List.of();
        }
        long underWay = members.values().stream()
                .filter(member -> member.step == Step.BINDING)
                .count();
        boolean waitsForRetry = !onRequest() && !hasStarted() && steps().anyMatch(Step.RETRIED::equals);
        var due = members.entrySet().stream()
                .filter(member ->
                        requested.filter(all -> !all.contains(member.getKey())).isEmpty())
                .filter(member -> member.getValue().step == Step.HELD && !waitsForRetry
                        || member.getValue().step == Step.RETRIED
                                && member.getValue()
                                        .notBefore
                                        .filter(now::isBefore)
                                        .isEmpty())
                .map(Map.Entry::getKey)
                .limit(Math.max(0, most - underWay))
                .toList();
        due.forEach(uid -> {
            var member = members.get(uid);
            member.step = Step.BINDING;
            member.binds++;
        });
        return due;
    }

    /** A member is bound to its node. */
    void bound(String uid) {
        Optional.ofNullable(members.get(uid)).ifPresent(member -> member.step = Step.BOUND);
        settle();
    }

    /** A member is certainly not bound; its hold stays. */
    void notBound(String uid, Instant now) {
        at(uid, Step.BINDING).ifPresent(member -> {
            if (member.binds > RETRIES) {
                member.step = Step.FAILED;
            } else {
                member.step = Step.RETRIED;
                requested.ifPresent(all -> all.remove(uid));
                member.notBefore = onRequest()
                        ? Optional.empty()
                        : Optional.of(now.plus(FIRST_RETRY.multipliedBy(1L << (member.binds - 1))));
            }
        });
        settle();
    }

    /** A member has ended, or its room is lost. */
    void gone(String uid) {
        Optional.ofNullable(members.remove(uid)).ifPresent(member -> releases.put(uid, member.node));
        settle();
    }

    /** Nothing is decided about a member that failed while others may still be bound. */
    private void settle() {
        if (phase != Phase.BINDING) {
            return;
        }
        boolean started = hasStarted();
        boolean open = steps().anyMatch(Step.BINDING::equals);
        if (steps().anyMatch(Step.FAILED::equals)) {
            if (started) {
                giveUpFailed();
            } else if (!open) {
                release();
                return;
            }
        }
        if (steps().allMatch(Step.BOUND::equals)) {
            phase = Phase.OVER;
        }
    }

    private boolean hasStarted() {
        return startedBefore || steps().anyMatch(Step.BOUND::equals);
    }

    private Stream<Step> steps() {
        return members.values().stream().map(Held::step);
    }

    private void giveUpFailed() {
        members.entrySet().removeIf(member -> {
            boolean gone = member.getValue().step == Step.FAILED;
            if (gone) {
                failed.add(member.getKey());
                releases.put(member.getKey(), member.getValue().node);
            }
            return gone;
        });
    }

    /** The members that were given up since the last call, though others run. */
    List<String> takeFailed() {
        var taken = List.copyOf(failed);
        failed.clear();
        return taken;
    }

    /** The nodes by uid whose holds are to be released, each once, in the order in which they were given up. */
    Map<String, String> takeReleases() {
        var taken = new LinkedHashMap<>(releases);
        releases.clear();
        return taken;
    }
}
