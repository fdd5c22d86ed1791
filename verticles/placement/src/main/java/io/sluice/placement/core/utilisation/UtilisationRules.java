package io.sluice.placement.core.utilisation;

import io.sluice.shell.load.LoadScore;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How nodes are scored by what was measured on them: by three parts, each 0 to 100. What was measured long ago, or
 * never, gives no score but that of the node's size; it never counts as idle.
 *
 * @param weights of the parts
 * @param mode the score of a share in use
 * @param period in which what is measured comes anew
 * @param rejectStale whether a node is excluded of which nothing was measured for three minutes
 * @param thresholds percent of a node above which no pod takes it; 0 for none
 * @param models weights of GPUs
 * @param compat whether the formula of Alnair's UtilSched counts instead
 * @param waitingMax percent of the time in which tasks of a node wait, from which what is in use gives it no score; 0
 *     if that does not count
 */
public record UtilisationRules(
        Weights weights,
        LoadScore mode,
        Duration period,
        boolean rejectStale,
        Thresholds thresholds,
        List<ModelWeight> models,
        boolean compat,
        int waitingMax) {
    private static final int STALE_PERIODS = 3;
    private static final Duration REJECTED_AFTER = Duration.ofSeconds(180);
    private static final double ALL = 100;
    private static final double OF_DEVICES = 0.7;
    private static final double OF_HOST = 0.3;
    private static final double FREE_UP_TO = 0.8;
    private static final double MIB_PER_GIB = 1024;
    private static final double SCALE = 12;

    public UtilisationRules {
        Objects.requireNonNull(weights, "weights");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(period, "period");
        Objects.requireNonNull(thresholds, "thresholds");
        models = List.copyOf(models);
    }

    /**
     * Weights of the parts.
     *
     * @param basic the weight of the node's size
     * @param utilisation the weight of what is in use
     * @param allocated the weight of what will be in use at peaks
     */
    public record Weights(int basic, int utilisation, int allocated) {
        int sum() {
            return basic + utilisation + allocated;
        }
    }

    /**
     * How much of a node may be in use.
     *
     * @param cpu percent of its CPU; 0 for no threshold
     * @param memory percent of its memory; 0 for no threshold
     */
    public record Thresholds(int cpu, int memory) {
        public static final Thresholds NONE = new Thresholds(0, 0);
    }

    /**
     * What all candidates have together.
     *
     * @param capacity the largest
     * @param mostAreStale whether more than half are stale, so that their size alone counts
     * @param lowest the lowest of the compatible scores
     * @param highest the highest of them
     */
    public record Comparison(double capacity, boolean mostAreStale, long lowest, long highest) {}

    /** The parts of a node's score, each 0 to 100. */
    public record Parts(double basic, double utilisation, double allocated, boolean stale, int score) {}

    /** Whether what was measured on a node is too old to count. */
    public boolean isStale(NodeLoad node) {
        return isStale(node.age(), period);
    }

    static boolean isStale(Duration age, Duration period) {
        return age.compareTo(period.multipliedBy(STALE_PERIODS)) > 0;
    }

    /** Compares candidates for a pod. */
    public Comparison compare(ExpectedUse pod, List<NodeLoad> nodes) {
        double capacity = 0;
        int stale = 0;
        long lowest = Long.MAX_VALUE;
        long highest = Long.MIN_VALUE;
        for (var node : nodes) {
            capacity = Math.max(capacity, capacity(pod, node));
            stale += isStale(node) ? 1 : 0;
            long raw = CompatScore.raw(pod, node);
            lowest = Math.min(lowest, raw);
            highest = Math.max(highest, raw);
        }
        return new Comparison(capacity, 2 * stale > nodes.size(), lowest, highest);
    }

    /** The score of a node among those that were compared. */
    public Parts score(ExpectedUse pod, NodeLoad node, Comparison among) {
        boolean stale = isStale(node);
        double basic = among.capacity() == 0 ? 0 : Math.round(ALL * capacity(pod, node) / among.capacity());
        double used = stale || among.mostAreStale() ? 0 : ALL * mode.at(inUse(pod, node) / ALL) * unhindered(node);
        double allocated = stale || among.mostAreStale() ? 0 : allocated(peak(pod, node));
        return new Parts(basic, used, allocated, stale, total(pod, node, among, basic, used, allocated));
    }

    /**
     * The part of the score that is left where tasks wait. A node that does not show it loses nothing, and gains
     * nothing either.
     */
    private double unhindered(NodeLoad node) {
        return waitingMax == 0 ? 1 : Math.clamp(1 - node.waiting().orElse(0) / waitingMax, 0, 1);
    }

    private int total(ExpectedUse pod, NodeLoad node, Comparison among, double basic, double used, double allocated) {
        if (compat) {
            return CompatScore.scaled(CompatScore.raw(pod, node), among.lowest(), among.highest());
        }
        if (among.mostAreStale() || weights.sum() == 0) {
            return (int) Math.round(basic);
        }
        return (int) Math.round(
                (weights.basic * basic + weights.utilisation * used + weights.allocated * allocated) / weights.sum());
    }

    private double capacity(ExpectedUse pod, NodeLoad node) {
        return pod.cards() == 0
                ? node.total().milliCpu()
                : node.devices().stream()
                        .mapToDouble(device ->
                                device.memoryMib() / MIB_PER_GIB * ModelWeight.of(device.model(), models) / SCALE)
                        .sum();
    }

    /** What would be in use of the node with the pod, in percent. */
    public double inUse(ExpectedUse pod, NodeLoad node) {
        double host = Math.max(
                percent(
                        node.used().milliCpu() + pod.host().milliCpu(),
                        node.total().milliCpu()),
                percent(
                        node.used().memoryBytes() + pod.host().memoryBytes(),
                        node.total().memoryBytes()));
        if (pod.cards() == 0 || node.devices().isEmpty()) {
            return host;
        }
        double devices = node.devices().stream()
                        .mapToDouble(DeviceUse::percent)
                        .average()
                        .orElse(ALL)
                + ALL * (node.newCards() + pod.cards()) / node.devices().size();
        return OF_DEVICES * devices + OF_HOST * host;
    }

    private static double peak(ExpectedUse pod, NodeLoad node) {
        return Math.max(
                        percent(
                                node.peak().milliCpu() + pod.host().milliCpu(),
                                node.total().milliCpu()),
                        percent(
                                node.peak().memoryBytes() + pod.host().memoryBytes(),
                                node.total().memoryBytes()))
                / ALL;
    }

    /** The score of a share at peaks: all up to 0.8, nothing from 1. */
    static double allocated(double share) {
        return ALL * Math.clamp((1 - share) / (1 - FREE_UP_TO), 0, 1);
    }

    /** Why the node cannot take the pod, such as {@code cpu 71>65}; empty where it can. */
    public Optional<String> overThreshold(ExpectedUse pod, NodeLoad node) {
        if (isStale(node)) {
            return Optional.empty();
        }
        var limits = node.thresholds().orElse(thresholds);
        return over(
                        "cpu",
                        percent(
                                node.used().milliCpu() + pod.host().milliCpu(),
                                node.total().milliCpu()),
                        limits.cpu())
                .or(() -> over(
                        "memory",
                        percent(
                                node.used().memoryBytes() + pod.host().memoryBytes(),
                                node.total().memoryBytes()),
                        limits.memory()));
    }

    /** Whether nothing was measured on the node for so long that no pod takes it. */
    public boolean isRejected(NodeLoad node) {
        return rejectStale && node.age().compareTo(REJECTED_AFTER) > 0;
    }

    /** Whether nodes are excluded by the common rules. */
    public boolean excludes() {
        return rejectStale || !thresholds.equals(Thresholds.NONE);
    }

    private static Optional<String> over(String kind, double percent, int limit) {
        return limit > 0 && percent > limit
                ? Optional.of(kind + " " + Math.round(percent) + ">" + limit)
                : Optional.empty();
    }

    private static double percent(double part, long all) {
        return all == 0 ? Double.MAX_VALUE : ALL * part / all;
    }

    /** That much of an amount. */
    static Resources share(Resources total, double cpuPercent, double memoryPercent) {
        return new Resources(
                Math.round(Math.max(0, cpuPercent) / ALL * total.milliCpu()),
                Math.round(Math.max(0, memoryPercent) / ALL * total.memoryBytes()));
    }
}
