package io.sluice.placement.core.rules;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Why nodes may not take a pod, with their number. Nodes that are short of the same kinds have one reason. */
final class Reasons {
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Shortage> shortages = new HashMap<>();

    /** How many nodes are short of some kinds, and by how much at least. */
    private record Shortage(int nodes, Map<String, Long> least) {}

    /** @param words follow a count of nodes: {@code tainted} */
    void add(int nodes, String words) {
        if (nodes > 0) {
            counts.merge(words, nodes, Integer::sum);
        }
    }

    /**
     * Adds a node that is short.
     *
     * @param where follows the amounts: {@code in the ledger}
     * @param by amount by kind
     */
    void addShort(String where, Map<String, Long> by) {
        var key = String.join(",", new TreeMap<>(by).keySet()) + "|" + where;
        shortages.merge(key, new Shortage(1, by), (one, other) -> {
            var least = new HashMap<>(one.least);
            other.least.forEach((kind, amount) -> least.merge(kind, amount, Math::min));
            return new Shortage(one.nodes + other.nodes, least);
        });
    }

    /** All reasons, the most frequent first. */
    String text() {
        var all = new HashMap<>(counts);
        shortages.forEach((key, shortage) -> all.merge(
                "short of " + amounts(shortage.least) + " or more" + key.substring(key.indexOf('|') + 1),
                shortage.nodes,
                Integer::sum));
        return all.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(reason -> reason.getValue() + " " + reason.getKey())
                .collect(Collectors.joining(", "));
    }

    private static String amounts(Map<String, Long> amounts) {
        return new TreeMap<>(amounts)
                .entrySet().stream()
                        .map(amount -> ResourceRule.text(amount.getKey(), amount.getValue()))
                        .collect(Collectors.joining(" and "));
    }
}
