package io.sluice.placement.core.preemption;

import io.sluice.placement.core.spec.DisruptionBudget;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.shell.explain.NameList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The pods on a node that make room for another one if they are evicted.
 *
 * @param pods at least one, those of higher priority first, and of equal ones those that started first
 * @param overBudget the uids of those whose eviction a disruption budget would not allow
 */
public record Victims(String node, List<PodSpec> pods, Set<String> overBudget) {
    private static final int NAMED_MAX = 5;

    /** Those that should stay come first. */
    static final Comparator<PodSpec> MORE_IMPORTANT = Comparator.comparingInt(PodSpec::priority)
            .reversed()
            .thenComparingLong(pod -> pod.preemption().startedAtSeconds())
            .thenComparing(PodSpec::uid);

    /** Added to each priority, so that a sum of fewer pods is lower, negative priorities too. */
    private static final long ABOVE_ALL_NEGATIVE = Integer.MAX_VALUE + 1L;

    /**
     * The better of two nodes comes first: one where all victims are being deleted already, fewer evictions against a
     * budget, a lower highest priority, a lower sum of priorities, fewer pods, a later start of the earliest of highest
     * priority. All but the first are kube-scheduler's criteria.
     */
    public static final Comparator<Victims> BETTER = Comparator.<Victims, Boolean>comparing(
                    victims -> !victims.toEvict().isEmpty())
            .thenComparingInt(victims -> victims.overBudget.size())
            .thenComparingInt(victims -> victims.pods.getFirst().priority())
            .thenComparingLong(Victims::sumOfPriorities)
            .thenComparingInt(victims -> victims.pods.size())
            .thenComparing(Comparator.comparingLong(Victims::startOfHighest).reversed())
            .thenComparing(Victims::node);

    public Victims {
        Objects.requireNonNull(node, "node");
        pods = List.copyOf(pods);
        overBudget = Set.copyOf(overBudget);
        if (pods.isEmpty()) {
            throw new IllegalArgumentException("there is no victim on node " + node);
        }
    }

    private long sumOfPriorities() {
        return pods.stream()
                .mapToLong(pod -> pod.priority() + ABOVE_ALL_NEGATIVE)
                .sum();
    }

    private long startOfHighest() {
        return pods.getFirst().preemption().startedAtSeconds();
    }

    /** Those that are still to be evicted; first those that a budget may keep, as the others are then in vain. */
    public List<PodSpec> toEvict() {
        return Stream.concat(
                        pods.stream().filter(pod -> overBudget.contains(pod.uid())),
                        pods.stream().filter(pod -> !overBudget.contains(pod.uid())))
                .filter(pod -> !pod.terminating())
                .toList();
    }

    /** Why some budget does not allow all of those evictions together; empty where they may succeed. */
    public static Optional<String> refusal(List<PodSpec> pods, Collection<DisruptionBudget> budgets) {
        for (var budget : budgets) {
            var its = pods.stream().filter(budget::protects).toList();
            if (its.size() > budget.allowed()) {
                return Optional.of("the disruption budget " + budget.namespace() + "/" + budget.name() + " allows "
                        + budget.allowed() + " of " + its.size() + " evictions: " + names(its));
            }
        }
        return Optional.empty();
    }

    /** The names of pods, as people read them; of many the first ones. */
    public static String names(List<PodSpec> pods) {
        return NameList.text(pods.stream().map(PodSpec::label).toList(), NAMED_MAX);
    }
}
