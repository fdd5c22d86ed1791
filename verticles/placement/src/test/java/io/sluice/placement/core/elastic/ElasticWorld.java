package io.sluice.placement.core.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.placement.core.Given;
import io.sluice.placement.core.elastic.ElasticPlan.Change;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Nodes with slots, and jobs whose members come and go as their plans require. */
final class ElasticWorld {
    static final String GPU = "nvidia.com/gpu";

    final Map<String, ElasticJob> jobs = new TreeMap<>();
    final Map<String, Instant> grownAt = new HashMap<>();
    final Map<String, Instant> shrunkAt = new HashMap<>();
    private final Map<String, Integer> slots = new TreeMap<>();
    private final Map<String, Integer> others = new HashMap<>();
    private final int quota;
    Instant now = Instant.EPOCH;

    /** @param quota how many slots the namespace may use */
    ElasticWorld(int nodes, int slotsEach, int quota) {
        for (int i = 0; i < nodes; i++) {
            slots.put("n" + i, slotsEach);
        }
        this.quota = quota;
    }

    static ElasticMemberRequest slots(int count) {
        return new ElasticMemberRequest(Resources.NONE, FixedAmounts.of(Map.of(GPU, (long) count)));
    }

    /** What is no elastic job uses slots of a node. */
    void use(String node, int count) {
        others.merge(node, count, Integer::sum);
    }

    /** A job that has no members yet. */
    void add(String name, int priority, int min, int max, int each) {
        put(new ElasticJob(
                "ns", name, now, priority, min, max, 0, slots(each), List.of(), Optional.empty(), Optional.empty()));
    }

    /** A job that runs. */
    void running(String name, int target, int min, int max) {
        add(name, 0, min, max, 1);
        put(job(name).targeting(target));
        membersCome(Integer.MAX_VALUE);
        assertThat(job(name).nodes()).hasSize(target);
    }

    ElasticJob job(String name) {
        return jobs.get("ns/" + name);
    }

    void put(ElasticJob job) {
        jobs.put(job.id(), job);
    }

    private static ElasticJob at(ElasticJob job, List<String> nodes) {
        return new ElasticJob(
                job.namespace(),
                job.name(),
                job.createdAt(),
                job.priority(),
                job.min(),
                job.max(),
                job.target(),
                job.member(),
                nodes,
                job.shrunkAt(),
                job.handover());
    }

    int used(String node) {
        long members = jobs.values().stream()
                .mapToLong(job -> job.nodes().stream().filter(node::equals).count()
                        * job.member().fixed().of(GPU))
                .sum();
        return others.getOrDefault(node, 0) + (int) members;
    }

    int used() {
        return slots.keySet().stream().mapToInt(this::used).sum();
    }

    Iterable<String> nodes() {
        return slots.keySet();
    }

    int slots(String node) {
        return slots.get(node);
    }

    LedgerRoom room() {
        return LedgerRoom.of(slots.keySet().stream()
                .map(node -> Given.free(node, Resources.NONE, Map.of(GPU, (long) slots(node) - used(node))))
                .toList());
    }

    ElasticQuota quotaLeft() {
        long byJobs = jobs.values().stream()
                .mapToLong(job -> job.nodes().size() * job.member().fixed().of(GPU))
                .sum();
        return new ElasticQuota(Map.of("ns", Map.of(GPU, quota - byJobs)));
    }

    ElasticPlan plan() {
        return ElasticPlanner.plan(ElasticRules.DEFAULTS, room(), quotaLeft(), List.copyOf(jobs.values()), now);
    }

    /** Plans and applies it. */
    List<Change> tick() {
        var changes = plan().changes();
        changes.forEach(this::apply);
        return changes;
    }

    private void apply(Change change) {
        var job = jobs.get(change.job());
        switch (change) {
            case ElasticPlan.Begin(var id, var target) ->
                put(job.targeting(target).awaiting(Optional.empty()));
            case ElasticPlan.Grow(var id, var target) -> {
                grownAt.put(id, now);
                put(job.targeting(target));
            }
            case ElasticPlan.Shrink(var id, var target, var newcomer) -> {
                shrunkAt.put(id, now);
                put(job.shrunk(target, now));
            }
            case ElasticPlan.Resize resize -> throw new IllegalStateException("its members keep their size: " + resize);
            case ElasticPlan.Await(var id, var handover) -> put(job.awaiting(Optional.of(handover)));
            case ElasticPlan.GiveBack(var id, var reason) ->
                put(job.awaiting(Optional.of(new ElasticJob.Handover(now, Map.of()))));
            case ElasticPlan.Wait _ -> {}
        }
    }

    /** Members that are to leave, leave, at most so many. */
    void membersLeave(int most) {
        int left = most;
        for (var job : List.copyOf(jobs.values())) {
            int leaving = Math.min(left, job.leaving());
            put(at(job, job.nodes().subList(leaving, job.nodes().size())));
            left -= leaving;
        }
    }

    /** Members that are to come are placed where they fit, at most so many. */
    void membersCome(int most) {
        int left = most;
        for (var job : List.copyOf(jobs.values())) {
            var nodes = new ArrayList<>(job.nodes());
            for (int i = job.coming(); i > 0 && left > 0; i--) {
                var node = slots.keySet().stream()
                        .filter(name -> slots.get(name) - used(name)
                                >= job.member().fixed().of(GPU))
                        .findFirst();
                if (node.isEmpty()) {
                    break;
                }
                nodes.add(node.get());
                put(at(job, nodes));
                left--;
            }
        }
    }

    void later(Duration time) {
        now = now.plus(time);
    }

    /** The job ends, and all its members leave. */
    void end(String name) {
        jobs.remove("ns/" + name);
    }
}
