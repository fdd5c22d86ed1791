package io.sluice.placement.core.gangs;

import io.sluice.placement.core.gangs.GangMember.End;
import io.sluice.placement.core.gangs.GangSpec.MatchPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A gang: what it requires, which members it has, and what came of its attempts. */
public final class GangRecord {
    private static final int DOUBLINGS_MAX = 30;
    private static final List<String> LACKS_ROOM = List.of("GANG_NO_ROOM", "GANG_MIN_RESOURCES", "GANG_NOT_HELD");

    private final GangKey key;
    private final Backoff backoff;
    private final Map<String, GangMember> members = new TreeMap<>();
    private final Set<String> singles = new HashSet<>();
    private Optional<GangSpec> spec = Optional.empty();
    private Optional<Instant> lastFailedAt = Optional.empty();
    private Optional<Instant> backoffUntil = Optional.empty();
    private Optional<Instant> failedSince = Optional.empty();
    private int failures;
    private int keptOn;
    private boolean startedOnce;
    private String failure = "";

    /**
     * How long a gang waits after a failure: twice as long after each one.
     *
     * @param longest the most
     */
    public record Backoff(Duration first, Duration longest) {
        Duration after(int failures) {
            var wait = first.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS_MAX));
            return wait.compareTo(longest) < 0 ? wait : longest;
        }
    }

    GangRecord(GangKey key, Backoff backoff) {
        this.key = key;
        this.backoff = backoff;
    }

    public GangKey key() {
        return key;
    }

    /** What it requires; empty while its object was not observed. */
    public Optional<GangSpec> spec() {
        return spec;
    }

    void observed(Optional<GangSpec> found) {
        spec = found;
        startedOnce |= found.filter(it -> it.startedBefore() || started() >= it.minMember())
                .isPresent();
    }

    void observed(GangMember member) {
        members.put(member.uid(), member);
        startedOnce |= spec.filter(it -> started() >= it.minMember()).isPresent();
    }

    /** How many members are bound, or were and succeeded. */
    public int started() {
        return count(member -> member.isBound() || member.end() == End.SUCCEEDED);
    }

    void gone(String uid) {
        members.remove(uid);
        singles.remove(uid);
    }

    boolean isUnused() {
        return spec.isEmpty() && members.isEmpty();
    }

    /** All members, by uid. */
    public Collection<GangMember> members() {
        return Collections.unmodifiableCollection(members.values());
    }

    /** A member. */
    public Optional<GangMember> member(String uid) {
        return Optional.ofNullable(members.get(uid));
    }

    /** How many members are so. */
    public int count(Predicate<GangMember> which) {
        return (int) members.values().stream().filter(which).count();
    }

    /** The members that are to be placed with it, by name. */
    public List<GangMember> pending() {
        return members.values().stream()
                .filter(member -> member.isPending() && !member.gated() && !singles.contains(member.uid()))
                .sorted(Comparator.comparing(GangMember::name))
                .toList();
    }

    /** Whether a member is placed like a pod without a gang. */
    public boolean isSingle(String uid) {
        return singles.contains(uid)
                || startedOnce
                        && spec.filter(it -> it.matchPolicy() == MatchPolicy.ONCE_SATISFIED)
                                .isPresent();
    }

    /** A member is placed like a pod without a gang from now on. */
    void single(String uid) {
        singles.add(uid);
    }

    /** How many members count toward its minimum before any is held. */
    public int counted() {
        return spec.map(it -> switch (it.matchPolicy()) {
                    case ONLY_WAITING -> 0;
                    case WAITING_AND_RUNNING -> count(GangMember::isBound);
                    case ONCE_SATISFIED -> started();
                })
                .orElse(0);
    }

    /** How many more have to be held. */
    public int need() {
        return spec.map(it -> Math.max(0, it.minMember() - counted())).orElse(0);
    }

    /** How many more have to be held for those that have started. */
    int lacking() {
        return spec.map(it -> Math.max(0, it.minMember() - started())).orElse(0);
    }

    /** Its priority: the highest of its members. */
    public int priority() {
        return members.values().stream().mapToInt(GangMember::priority).max().orElse(0);
    }

    /** When it is tried, beside others. */
    public QueueTurn turn() {
        var since = lastFailedAt.or(() -> spec.map(GangSpec::createdAt)).orElse(Instant.MAX);
        return new QueueTurn(priority(), since, key.label() + " " + key.kind());
    }

    /** Why it is not tried, whatever room there is; empty where nothing keeps it. */
    public Optional<String> obstacle() {
        if (spec.isEmpty()) {
            return Optional.of("GANG_UNKNOWN: no object declares gang " + key.label());
        }
        int least = spec.get().minMember();
        int pending = count(member -> member.isPending() && !singles.contains(member.uid()));
        int present = counted() + pending;
        if (present < least) {
            return Optional.of("GANG_TOO_FEW_MEMBERS(" + present + "/" + least + ")");
        }
        int ready = counted() + pending().size();
        if (ready < least) {
            return Optional.of("GANG_GATED(" + ready + "/" + least + ")");
        }
        return pending().stream()
                .filter(member -> member.priority() != priority())
                .findFirst()
                .map(member ->
                        "GANG_PRIORITY(" + member.name() + " " + member.priority() + ", others " + priority() + ")");
    }

    /** Until when it is not tried after a failure; empty where it may be. */
    public Optional<Instant> backoffUntil() {
        return backoffUntil;
    }

    /** Whether it may be tried now. */
    public boolean isDue(Instant now) {
        return obstacle().isEmpty()
                && !pending().isEmpty()
                && pending().stream().noneMatch(member -> isSingle(member.uid()))
                && backoffUntil.filter(now::isBefore).isEmpty();
    }

    /** Records that an attempt failed, and that none of its members was bound. */
    void failed(String reason, Instant now) {
        startedOnce = spec.filter(it -> started() >= it.minMember()).isPresent();
        failures++;
        failure = reason;
        lastFailedAt = Optional.of(now);
        failedSince = failedSince.or(() -> lastFailedAt);
        backoffUntil = Optional.of(now.plus(backoff.after(failures)));
    }

    /** Whether a gang waits for room by that reason. */
    public static boolean isForRoom(String reason) {
        return LACKS_ROOM.stream().anyMatch(reason::startsWith);
    }

    /** Since when no attempt has succeeded, where the last one lacked room. */
    Optional<Instant> lacksRoomSince() {
        return failedSince.filter(since -> isForRoom(failure));
    }

    /** Records that all its members fit, so that it is tried at once. */
    void hasRoom() {
        backoffUntil = Optional.empty();
    }

    /** Records on how many nodes room is kept for it; returns whether that is new. */
    boolean keptOn(int nodes) {
        boolean isNew = nodes != keptOn;
        keptOn = nodes;
        return isNew;
    }

    /** Records that a member of an attempt is bound, so that the gang has started. */
    void hasStarted() {
        startedOnce = true;
    }

    /** Records that enough members are held together. */
    void satisfied() {
        failures = 0;
        failure = "";
        backoffUntil = Optional.empty();
        lastFailedAt = Optional.empty();
        failedSince = Optional.empty();
    }

    /** Whether members have started together at one time. */
    public boolean startedOnce() {
        return startedOnce;
    }

    /** Why it waits; empty where no member waits, or it is to be tried. */
    public String waitReason() {
        return pending().isEmpty() && count(GangMember::isPending) == 0
                ? ""
                : obstacle().orElse(keptOn == 0 ? failure : failure + "; room is kept for it on nodes: " + keptOn);
    }
}
