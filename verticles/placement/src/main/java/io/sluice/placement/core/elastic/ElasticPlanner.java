package io.sluice.placement.core.elastic;

import io.sluice.placement.core.elastic.ElasticJob.Handover;
import io.sluice.placement.core.elastic.ElasticPlan.Change;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plans how many members each job has. Jobs begin as large as there is room. Where there is none for the smallest size,
 * jobs of no higher priority shrink, by no more than is needed, and only if that suffices; their room is kept for the
 * newcomer. What is left lets jobs grow, the smallest by share of their maximum first.
 */
public final class ElasticPlanner {
    private static final int RESIZED_MAX = 500;

    private final ElasticRules rules;
    private final Instant now;
    private final Map<String, ElasticJob> jobs = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final Set<String> gotBack = new HashSet<>();
    private LedgerRoom room;
    private ElasticQuota quota;

    private ElasticPlanner(
            ElasticRules rules, LedgerRoom room, ElasticQuota quota, List<ElasticJob> jobs, Instant now) {
        this.rules = rules;
        this.room = room;
        this.quota = quota;
        this.now = now;
        jobs.forEach(job -> this.jobs.put(job.id(), job));
    }

    /**
     * The changes that are due now.
     *
     * @param room by the ledger, with all members that run
     * @param quota what namespaces still allow, with all pods that exist
     */
    public static ElasticPlan plan(
            ElasticRules rules, LedgerRoom room, ElasticQuota quota, List<ElasticJob> jobs, Instant now) {
        var planner = new ElasticPlanner(rules, room, quota, jobs, now);
        planner.plan();
        return new ElasticPlan(planner.changes);
    }

    private void plan() {
        jobs.values().forEach(job -> {
            if (job.target() > job.max()) {
                shrink(job, job.max(), "");
            }
        });
        // Members that do not run yet have their room already.
        jobs.values().forEach(job -> {
            take(job, job.coming());
        });
        newcomers(true).forEach(this::await);
        newcomers(false).forEach(this::begin);
        grow();
    }

    /** Those that lack members: of a higher priority first, then the older ones. */
    private List<ElasticJob> newcomers(boolean withHandover) {
        return jobs.values().stream()
                .filter(job -> job.lacking() > 0 && job.handover().isPresent() == withHandover)
                .sorted(Comparator.<ElasticJob>comparingInt(job -> -job.priority())
                        .thenComparing(ElasticJob::createdAt)
                        .thenComparing(ElasticJob::id))
                .toList();
    }

    private void await(ElasticJob job) {
        if (begins(job)) {
            return;
        }
        var handover = job.handover().orElseThrow();
        if (isOver(handover)) {
            over(job, handover);
        } else if (handover.isAwaited()) {
            // What has come so far is kept for it.
            take(job, job.lacking());
        } else {
            changes.add(new ElasticPlan.Wait(job.id(), rules.late()));
        }
    }

    private boolean isOver(Handover handover) {
        return !now.isBefore(handover.since().plus(rules.handoverMax()));
    }

    /** Members that have not left yet stay. */
    private void over(ElasticJob job, Handover handover) {
        if (!handover.isAwaited()) {
            jobs.put(job.id(), job.awaiting(Optional.empty()));
            return;
        }
        changes.add(new ElasticPlan.GiveBack(job.id(), rules.late()));
        jobs.put(job.id(), job.awaiting(Optional.of(new Handover(now, Map.of()))));
        handover.givers()
                .forEach((id, members) -> Optional.ofNullable(jobs.get(id))
                        .filter(giver -> members > 0 && giver.leaving() > 0)
                        .ifPresent(giver -> {
                            int target = Math.min(giver.max(), giver.target() + Math.min(members, giver.leaving()));
                            changes.add(new ElasticPlan.Grow(id, target));
                            jobs.put(id, giver.targeting(target));
                            gotBack.add(id);
                        }));
    }

    private void begin(ElasticJob job) {
        if (begins(job)) {
            return;
        }
        if (quota.allows(job, job.lacking()) < job.lacking()) {
            changes.add(new ElasticPlan.Wait(
                    job.id(), "the quota of its namespace does not allow " + job.lacking() + " members"));
            return;
        }
        if (smallerMembers(job)) {
            return;
        }
        var givers = givers(job);
        if (givers.isEmpty()) {
            changes.add(new ElasticPlan.Wait(job.id(), noRoom(job)));
            return;
        }
        givers.forEach(
                (giver, members) -> shrink(jobs.get(giver), jobs.get(giver).target() - members, job.id()));
        await(job, givers);
    }

    private void await(ElasticJob job, Map<String, Integer> givers) {
        var handover = new Handover(now, givers);
        changes.add(new ElasticPlan.Await(job.id(), handover));
        jobs.put(job.id(), job.awaiting(Optional.of(handover)));
        take(job, job.lacking());
    }

    /** No member leaves where smaller members are enough. */
    private boolean smallerMembers(ElasticJob job) {
        var smaller = new LinkedHashMap<String, Set<ElasticMember>>();
        for (var other : others(job).filter(one -> !one.shrinkable().isEmpty()).toList()) {
            smaller.put(other.id(), new LinkedHashSet<>(other.shrinkable()));
        }
        if (smaller.isEmpty() || !suffices(job, smaller)) {
            return false;
        }
        for (var of : smaller.values()) {
            for (var member : List.copyOf(of).stream().limit(RESIZED_MAX).toList()) {
                of.remove(member);
                if (!suffices(job, smaller)) {
                    of.add(member);
                }
            }
        }
        smaller.values().removeIf(Set::isEmpty);
        smaller.forEach((id, members) -> {
            var other = jobs.get(id);
            resize(other, members, other.smallest().orElseThrow(), job.id());
            jobs.put(id, jobs.get(id).shrunk(other.target(), now));
        });
        await(job, smaller.keySet().stream().collect(Collectors.toMap(id -> id, id -> 0)));
        return true;
    }

    private boolean suffices(ElasticJob job, Map<String, Set<ElasticMember>> smaller) {
        var after = room;
        for (var of : smaller.entrySet()) {
            after = after.shrinking(
                    of.getValue(), jobs.get(of.getKey()).smallest().orElseThrow());
        }
        return after.fits(job, job.lacking()) >= job.lacking();
    }

    private void resize(ElasticJob job, Collection<ElasticMember> members, Resources size, String newcomer) {
        var pods = members.stream().map(ElasticMember::pod).collect(Collectors.toSet());
        changes.add(new ElasticPlan.Resize(job.id(), pods, size, newcomer));
        jobs.put(job.id(), job.resizing(pods, size));
    }

    private Stream<ElasticJob> others(ElasticJob job) {
        return jobs.values().stream()
                .filter(other -> other.priority() <= job.priority()
                        && !other.id().equals(job.id())
                        && !gotBack.contains(other.id()));
    }

    private String noRoom(ElasticJob job) {
        return "there is room for " + room.fits(job, job.lacking()) + " of the " + job.lacking()
                + " members that it lacks, and jobs of no higher priority cannot give enough";
    }

    private boolean begins(ElasticJob job) {
        int wanted = job.max() - job.target();
        int fitting = Math.min(room.fits(job, wanted), quota.allows(job, wanted));
        if (fitting < job.lacking()) {
            return false;
        }
        changes.add(new ElasticPlan.Begin(job.id(), job.target() + fitting));
        jobs.put(job.id(), job.targeting(job.target() + fitting).awaiting(Optional.empty()));
        take(job, fitting);
        return true;
    }

    /** How many members each of the others gives, so that the job gets its minimum; empty where they cannot. */
    private Map<String, Integer> givers(ElasticJob job) {
        var given = new LinkedHashMap<String, Integer>();
        for (var giver : candidates(job)) {
            int most = Math.min(giver.surplus(), giver.nodes().size() - giver.leaving());
            for (int members = 1; members <= most; members++) {
                given.put(giver.id(), members);
                if (suffice(job, given)) {
                    return onlyNeeded(job, given);
                }
            }
        }
        return Map.of();
    }

    /** The job itself has no surplus, as it lacks members. */
    private List<ElasticJob> candidates(ElasticJob job) {
        return others(job)
                .filter(other -> other.surplus() > 0)
                .sorted(Comparator.<ElasticJob>comparingInt(other -> -other.surplus())
                        .thenComparingInt(ElasticJob::priority)
                        .thenComparing(ElasticJob::id))
                .toList();
    }

    private boolean suffice(ElasticJob job, Map<String, Integer> given) {
        var after = room;
        for (var giver : given.entrySet()) {
            after = after.releasing(jobs.get(giver.getKey()), giver.getValue());
        }
        return after.fits(job, job.lacking()) >= job.lacking();
    }

    /** What left from other nodes than those that are needed stays. */
    private Map<String, Integer> onlyNeeded(ElasticJob job, Map<String, Integer> given) {
        var needed = new LinkedHashMap<>(given);
        for (var giver : given.keySet()) {
            for (int members = given.get(giver); members > 0; members--) {
                var fewer = new LinkedHashMap<>(needed);
                if (members == 1) {
                    fewer.remove(giver);
                } else {
                    fewer.put(giver, members - 1);
                }
                if (!suffice(job, fewer)) {
                    break;
                }
                needed = fewer;
            }
        }
        return needed;
    }

    private void shrink(ElasticJob job, int target, String newcomer) {
        changes.add(new ElasticPlan.Shrink(job.id(), target, newcomer));
        jobs.put(job.id(), job.shrunk(target, now));
    }

    /** Members get their full size before there are more of them. */
    private void enlarge() {
        for (var job : List.copyOf(jobs.values())) {
            var larger = new ArrayList<ElasticMember>();
            var full = job.member().amounts();
            for (var member : hasRested(job) ? job.small() : List.<ElasticMember>of()) {
                var more = full.minus(member.desired());
                var after = room.enlarging(member, full);
                if (after.isPresent() && quota.allows(job.namespace(), more)) {
                    room = after.get();
                    quota = quota.taking(job.namespace(), more);
                    larger.add(member);
                }
            }
            if (!larger.isEmpty()) {
                resize(job, larger, full, "");
            }
        }
    }

    private boolean hasRested(ElasticJob job) {
        return job.shrunkAt()
                .filter(shrunk -> now.isBefore(shrunk.plus(rules.growAfter())))
                .isEmpty();
    }

    /** One member at a time, so that none gets more than its share. */
    private void grow() {
        enlarge();
        var grown = new LinkedHashMap<String, Integer>();
        while (true) {
            var next = jobs.values().stream()
                    .filter(this::mayGrow)
                    .min(Comparator.<ElasticJob>comparingDouble(job -> (double) job.target() / job.max())
                            .thenComparing(ElasticJob::createdAt)
                            .thenComparing(ElasticJob::id));
            if (next.isEmpty()) {
                break;
            }
            var job = next.get();
            take(job, 1);
            jobs.put(job.id(), job.targeting(job.target() + 1));
            grown.put(job.id(), job.target() + 1);
        }
        grown.forEach((job, target) -> changes.add(new ElasticPlan.Grow(job, target)));
    }

    private boolean mayGrow(ElasticJob job) {
        return job.target() >= job.min()
                && job.target() < job.max()
                && hasRested(job)
                && room.fits(job, 1) == 1
                && quota.allows(job, 1) == 1;
    }

    private void take(ElasticJob job, int members) {
        room = room.taking(job, members);
        quota = quota.taking(job, members);
    }
}
