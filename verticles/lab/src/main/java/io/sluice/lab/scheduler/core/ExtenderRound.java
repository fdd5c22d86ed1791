package io.sluice.lab.scheduler.core;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What kube-scheduler concludes from the replies of its extender, without filters and scores of its own. */
public final class ExtenderRound {
    private ExtenderRound() {}

    /**
     * The node with the highest score; empty if none fits. Of several it is the first by name, where kube-scheduler
     * draws.
     *
     * @param scores by node; a missing one is 0
     */
    public static Optional<String> best(List<String> fit, Map<String, Integer> scores) {
        return fit.stream()
                .max(Comparator.<String>comparingInt(node -> scores.getOrDefault(node, 0))
                        .thenComparing(Comparator.reverseOrder()));
    }

    /**
     * The message of a pod that no node can take: {@code 0/3 nodes are available: 3 short of ...}.
     *
     * @param failed the reason of each node
     */
    public static String message(int nodes, Map<String, String> failed) {
        var counts =
                failed.values().stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        return "0/" + nodes + " nodes are available: "
                + counts.entrySet().stream()
                        .map(reason -> reason.getValue() + " " + reason.getKey())
                        .sorted()
                        .collect(Collectors.joining(", "))
                + ".";
    }
}
