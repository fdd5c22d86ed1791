package io.sluice.placement.core.elastic;

import io.sluice.placement.core.elastic.ElasticJob.Handover;
import io.sluice.placement.core.elastic.ElasticPlan.Change;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plans how many members each job has. Jobs begin as large as there is room. Where there is none for the smallest size,
 * jobs of no higher priority shrink, by no more than is needed, and only if that suffices; their room is kept for the
 * newcomer. What is left lets jobs grow, the smallest by share of their maximum first.
 */
public final class ElasticPlanner {
    /** Of those that are to become smaller; each costs one plan for the whole newcomer. */
    private static final int CONSIDERED_MAX = 100;

    private final ElasticRules rules;
    private final Instant now;
    private final Map<String, ElasticJob> jobs = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final Set<String> gotBack = new HashSet<>();
    private final LedgerRoom room;
    private ElasticQuota quota;

    /** A member that becomes smaller. */
    private record Smaller(String job, ElasticMember member, Resources size) {}

    private ElasticPlanner(
            ElasticRules rules, LedgerRoom room, ElasticQuota quota, List<ElasticJob> jobs, Instant now) {
        this.rules = rules;
        this.room = room.copy();
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
        var all = others(job)
                .flatMap(other -> other.shrinkable().stream()
                        .map(member ->
                                new Smaller(other.id(), member, other.smallest().orElseThrow())))
                .toList();
        var smaller = new ArrayList<>(all.subList(0, least(all.size(), most -> suffices(job, all.subList(0, most)))));
        for (var one : smaller.stream().limit(CONSIDERED_MAX).toList()) {
            smaller.remove(one);
            if (!suffices(job, smaller)) {
                smaller.add(one);
            }
        }
        var byJob =
                smaller.stream().collect(Collectors.groupingBy(Smaller::job, LinkedHashMap::new, Collectors.toList()));
        byJob.forEach((id, members) -> {
            var other = jobs.get(id);
            resize(
                    other,
                    members.stream().map(Smaller::member).toList(),
                    other.smallest().orElseThrow(),
                    job.id());
            jobs.put(id, jobs.get(id).shrunk(other.target(), now));
        });
        if (!byJob.isEmpty()) {
            await(job, byJob.keySet().stream().collect(Collectors.toMap(id -> id, id -> 0)));
        }
        return !byJob.isEmpty();
    }

    private boolean suffices(ElasticJob job, List<Smaller> smaller) {
        return !smaller.isEmpty()
                && suffices(job, after -> smaller.forEach(one -> after.shrink(one.member(), one.size())));
    }

    private boolean suffices(ElasticJob job, Consumer<LedgerRoom> changes) {
        return room.fitsAfter(changes, job, job.lacking()) >= job.lacking();
    }

    /** The least number that suffices, as all larger ones do; 0 where none does. */
    private static int least(int most, IntPredicate suffices) {
        if (most == 0 || !suffices.test(most)) {
            return 0;
        }
        int low = 1;
        int high = most;
        while (low < high) {
            int middle = (low + high) / 2;
            if (suffices.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return high;
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
        var all = candidates(job).stream()
                .flatMap(giver ->
                        Collections.nCopies(
                                Math.min(giver.surplus(), giver.nodes().size() - giver.leaving()), giver.id())
                                .stream())
                .toList();
        int enough = least(all.size(), most -> suffice(job, counted(all.subList(0, most))));
        return enough == 0 ? Map.of() : onlyNeeded(job, counted(all.subList(0, enough)));
    }

    private static Map<String, Integer> counted(List<String> givers) {
        return givers.stream()
                .collect(Collectors.groupingBy(id -> id, LinkedHashMap::new, Collectors.summingInt(one -> 1)));
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
        return suffices(job, after -> given.forEach((giver, members) -> after.release(jobs.get(giver), members)));
    }

    /** What left from other nodes than those that are needed stays. */
    private Map<String, Integer> onlyNeeded(ElasticJob job, Map<String, Integer> given) {
        var needed = new LinkedHashMap<>(given);
        for (var giver : given.keySet()) {
            var fewer = new LinkedHashMap<>(needed);
            fewer.remove(giver);
            if (!suffice(job, fewer)) {
                needed.put(giver, least(given.get(giver), members -> {
                    fewer.put(giver, members);
                    return suffice(job, fewer);
                }));
            } else {
                needed.remove(giver);
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
                if (quota.allows(job.namespace(), more) && room.enlarge(member, full)) {
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
        var growing = new TreeSet<>(Comparator.<ElasticJob>comparingDouble(job -> (double) job.target() / job.max())
                .thenComparing(ElasticJob::createdAt)
                .thenComparing(ElasticJob::id));
        jobs.values().stream()
                .filter(job -> job.target() >= job.min() && hasRested(job))
                .forEach(growing::add);
        // A job that cannot grow now cannot once others have grown.
        for (var job = growing.pollFirst(); job != null; job = growing.pollFirst()) {
            if (job.target() < job.max() && quota.allows(job, 1) == 1 && room.fits(job, 1) == 1) {
                take(job, 1);
                var larger = job.targeting(job.target() + 1);
                jobs.put(job.id(), larger);
                growing.add(larger);
                grown.put(job.id(), larger.target());
            }
        }
        grown.forEach((job, target) -> changes.add(new ElasticPlan.Grow(job, target)));
    }

    private void take(ElasticJob job, int members) {
        room.take(job, members);
        quota = quota.taking(job, members);
    }
}
