package io.sluice.shell.explain;

import io.sluice.devices.DeviceMisfit;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.shell.Quantities;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Why nodes cannot take a pod, in words that follow a count of nodes. All nodes that are short of the same kinds have
 * one reason, with the smallest amounts, so that equal reasons can be counted.
 */
public final class PlacementReasons {
    /** That nothing was measured on a node. */
    public static final String NOT_MEASURED = "without new metrics";

    private final List<NodeRank> ranks;
    private final Map<Kinds, Shortage> least = new HashMap<>();
    private final Map<DeviceMisfit.Cause, DeviceMisfit> closest = new EnumMap<>(DeviceMisfit.Cause.class);
    private final Map<Kinds, String> shortTexts = new HashMap<>();

    private PlacementReasons(List<NodeRank> ranks) {
        this.ranks = ranks;
        ranks.stream()
                .filter(rank -> rank.obstacle() == Obstacle.NO_ROOM)
                .map(Shortage::of)
                .forEach(shortage -> least.merge(shortage.kinds(), shortage, Shortage::min));
        ranks.forEach(
                rank -> rank.device().ifPresent(misfit -> closest.merge(misfit.cause(), misfit, DeviceMisfit::closer)));
    }

    /** The kinds that a node is short of. */
    private record Kinds(boolean cpu, boolean memory, Set<String> others) {}

    /** What a node is short of. */
    private record Shortage(Resources amounts, FixedAmounts fixed) {
        static Shortage of(NodeRank rank) {
            return new Shortage(rank.shortBy(), rank.shortOf());
        }

        Kinds kinds() {
            return new Kinds(
                    amounts.milliCpu() > 0,
                    amounts.memoryBytes() > 0,
                    fixed.isNone() ? Set.of() : fixed.byKind().keySet());
        }

        Shortage min(Shortage other) {
            return new Shortage(amounts.min(other.amounts), fixed.min(other.fixed));
        }
    }

    public static PlacementReasons of(List<NodeRank> ranks) {
        return new PlacementReasons(ranks);
    }

    /**
     * Nodes with the same reason.
     *
     * @param reason in words that follow their count
     * @param nodes in the order of the ranks
     */
    public record Group(String reason, List<NodeRank> nodes) {}

    /** The nodes that cannot take the pod, those with the same reason together: the most frequent reason first. */
    public List<Group> groups() {
        return ranks.stream()
                .filter(rank -> !rank.fits())
                .collect(Collectors.groupingBy(this::reason))
                .entrySet()
                .stream()
                .map(group -> new Group(group.getKey(), group.getValue()))
                .sorted(Comparator.<Group>comparingInt(group -> -group.nodes().size())
                        .thenComparing(Group::reason))
                .toList();
    }

    /** The reason of each node that cannot take the pod, by its name. */
    public Map<String, String> byNode() {
        return ranks.stream()
                .filter(rank -> !rank.fits())
                .collect(Collectors.toMap(NodeRank::node, this::reason, (one, other) -> one, LinkedHashMap::new));
    }

    /** All reasons with the number of their nodes: {@code 0/12 nodes: 9 short of CPU by 250m or more in the ledger}. */
    public String summary() {
        long fit = ranks.stream().filter(NodeRank::fits).count();
        var reasons = groups().stream()
                .map(group -> group.nodes().size() + " " + group.reason())
                .collect(Collectors.joining(", "));
        return fit + "/" + ranks.size() + " nodes" + (reasons.isEmpty() ? "" : ": " + reasons);
    }

    private String reason(NodeRank rank) {
        return switch (rank.obstacle()) {
            case NONE -> "";
            case NO_ROOM ->
                shortTexts.computeIfAbsent(Shortage.of(rank).kinds(), kinds -> shortReason(least.get(kinds)));
            case LEDGER_NOT_READY -> "without a complete ledger";
            case NODE_NOT_READY -> "not ready";
            case KEPT -> keptText(rank.keptFor());
            case OVER_THRESHOLD -> thresholdText(leastOver());
            case NOT_MEASURED -> NOT_MEASURED;
            case DEVICES ->
                rank.device()
                        .map(misfit -> deviceText(closest.get(misfit.cause())))
                        .orElse("with no GPU");
            case GANG -> "for a pod whose gang waits: " + rank.keptFor();
            case HELD_ELSEWHERE -> "other than the one on which room for the pod is held";
        };
    }

    /** Nodes beyond a threshold have one reason, with the smallest number. */
    private String leastOver() {
        return least(ranks.stream()
                .filter(rank -> rank.obstacle() == Obstacle.OVER_THRESHOLD)
                .map(NodeRank::keptFor)
                .toList());
    }

    /** The one of some thresholds that is exceeded by least. */
    public static String least(List<String> thresholds) {
        return thresholds.stream()
                .min(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
                .orElse("");
    }

    /** What a node is without: {@code with no GPU: GPU_NO_DEVICE_FITS(max free MiB=6144)}. */
    public static String deviceText(DeviceMisfit misfit) {
        return "with no " + (misfit.cause().ofZones() ? "NUMA zone" : "GPU") + ": " + misfit.text();
    }

    private static String shortReason(Shortage shortage) {
        return "short of " + shortText(shortage.amounts(), shortage.fixed()) + " or more in the ledger";
    }

    /** The kinds of which there is too little, with the amounts: {@code CPU by 250m and memory by 1Gi}. */
    public static String shortText(Resources shortBy, FixedAmounts shortOf) {
        var kinds = new ArrayList<String>();
        if (shortBy.milliCpu() > 0) {
            kinds.add("CPU by " + Quantities.cpuText(shortBy.milliCpu()));
        }
        if (shortBy.memoryBytes() > 0) {
            kinds.add("memory by " + Quantities.memoryText(shortBy.memoryBytes()));
        }
        shortOf.byKind().forEach((kind, amount) -> kinds.add(kind + " by " + amount));
        return String.join(" and ", kinds);
    }

    /** That a threshold of use would be exceeded, as {@code UTIL_THRESHOLD(cpu 71>65)}. */
    public static String thresholdText(String threshold) {
        return "beyond a threshold of use: " + threshold;
    }

    /** That room is kept for another pod, as {@code namespace/name}. */
    public static String keptText(String pod) {
        return "with room that is kept for " + pod + ", which waits longer";
    }
}
