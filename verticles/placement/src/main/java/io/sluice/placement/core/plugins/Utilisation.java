package io.sluice.placement.core.plugins;

import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.utilisation.ExpectedUse;
import io.sluice.placement.core.utilisation.NodeLoad;
import io.sluice.placement.core.utilisation.UtilisationRules;
import io.sluice.placement.core.utilisation.UtilisationTable;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Scores nodes by their size, by what was measured on them, and by what will be in use at peaks; excludes those beyond
 * a threshold of use. On a node that would be above its watermark VMs would have to be moved again, so its score is
 * halved.
 *
 * @param rules the parts of the score
 * @param table what was measured, and the pods since
 * @param measured whether nodes are measured; otherwise what VMs report counts, and what is reserved for others
 * @param attempt the pod and its candidates; empty before an attempt
 */
public record Utilisation(
        UtilisationRules rules, UtilisationTable table, boolean measured, Optional<Candidates> attempt)
        implements RoomScore {
    private static final List<String> GPUS = List.of("nvidia.com/gpu", "amd.com/gpu");
    private static final String VM_LABEL = "vm.neon.tech/name";
    private static final double MOVED_AGAIN = 0.5;
    private static final double ALL = 100;

    public Utilisation {
        Objects.requireNonNull(rules, "rules");
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(attempt, "attempt");
    }

    /** A pod, and what its candidates have together. */
    public record Candidates(ExpectedUse pod, UtilisationRules.Comparison together) {}

    @Override
    public Optional<Misfit> filter(PodToPlace pod, NodeSnapshot node) {
        return excludes() ? filter(expected(pod), node) : Optional.empty();
    }

    /** Whether it excludes nodes at all. */
    public boolean excludes() {
        return rules.excludes() || table.hasThresholds();
    }

    /** The same for a pod of which the use is expected. */
    public Optional<Misfit> filter(ExpectedUse pod, NodeSnapshot node) {
        var load = load(node);
        if (rules.isRejected(load)) {
            return Optional.of(new Misfit(Obstacle.NOT_MEASURED, Resources.NONE));
        }
        return rules.overThreshold(pod, load)
                .map(over -> new Misfit(
                        Obstacle.OVER_THRESHOLD, Resources.NONE, "UTIL_THRESHOLD(" + over + ")", FixedAmounts.NONE));
    }

    @Override
    public RoomScore forAttempt(PodToPlace pod, List<NodeSnapshot> candidates) {
        return among(expected(pod), candidates);
    }

    /** The same for a pod of which the use is expected. */
    public Utilisation among(ExpectedUse pod, List<NodeSnapshot> candidates) {
        var together = rules.compare(pod, candidates.stream().map(this::load).toList());
        return new Utilisation(rules, table, measured, Optional.of(new Candidates(pod, together)));
    }

    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        return OptionalDouble.of(of(pod.charge(), node));
    }

    /**
     * The score of a candidate, 0 to 1.
     *
     * @param charge what the pod would add to its reservations
     */
    public double of(Resources charge, NodeSnapshot node) {
        double score = attempt.map(candidates -> rules.score(candidates.pod(), load(node), candidates.together())
                                .score()
                        / ALL)
                .orElse(0.0);
        return !rules.compat() && node.reserved().plus(charge).exceeds(node.watermark()) ? score * MOVED_AGAIN : score;
    }

    private NodeLoad load(NodeSnapshot node) {
        return measured
                ? table.load(node.node(), node.total(), rules.period())
                : table.load(
                        node.node(),
                        node.total(),
                        node.use().live(node.reserved()).min(node.total()),
                        rules.period());
    }

    /** What a pod will use. */
    public ExpectedUse expected(PodToPlace pod) {
        var owner = pod.pod().runsVm() ? pod.pod().namespace() + "/" + pod.pod().vmName() : "";
        double cards = GPUS.stream().mapToLong(pod.pod().fixed()::of).sum();
        return ExpectedUse.of(table.peakOf(owner), Optional.empty(), pod.charge(), cards);
    }

    /** The same for a pod of the own scheduler. */
    public ExpectedUse expected(PendingPod pod) {
        var spec = pod.spec();
        var vm = spec.labels().get(VM_LABEL);
        double cards = GPUS.stream()
                .mapToLong(kind -> spec.requests().getOrDefault(kind, 0L))
                .sum();
        return ExpectedUse.of(
                vm == null ? Optional.empty() : table.peakOf(spec.namespace() + "/" + vm),
                Optional.empty(),
                pod.charge(),
                cards);
    }
}
