package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.LabelSelector;
import io.sluice.placement.core.spec.PodSpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * How many pods of some kind each node has. A count is made from all pods when it is first needed, and kept up with
 * each pod that comes or goes, as long as it is among the last that were used.
 */
final class PodCounts {
    /** With 5 000 nodes some 8 MB. */
    private static final int KEPT_MAX = 400;

    private final Map<List<Match>, Count> counts = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Which pods are counted.
     *
     * @param namespaces theirs; empty for any
     * @param terminating whether pods that are being deleted count
     */
    record Match(Optional<Set<String>> namespaces, LabelSelector selector, boolean terminating) {
        boolean matches(PodSpec pod) {
            return (terminating || !pod.terminating())
                    && (namespaces.isEmpty() || namespaces.get().contains(pod.namespace()))
                    && selector.matches(pod.labels());
        }
    }

    /** The number of pods by node. */
    static final class Count {
        private int[] pods = new int[64];

        int at(int node) {
            return node < pods.length ? pods[node] : 0;
        }

        private void add(int node, int change) {
            if (node >= pods.length) {
                pods = Arrays.copyOf(pods, Math.max(node + 1, 2 * pods.length));
            }
            pods[node] += change;
        }
    }

    /** @param sign 1 for a pod that comes, -1 for one that goes */
    void change(int node, PodSpec pod, int sign) {
        counts.forEach((matches, count) -> {
            if (isCounted(pod, matches)) {
                count.add(node, sign);
            }
        });
    }

    /**
     * The number of pods that meet all of the matches.
     *
     * @param node the number of a pod's node
     */
    Count of(List<Match> matches, PodsByLabel pods, ToIntFunction<PodSpec> node) {
        var known = counts.get(matches);
        if (known != null) {
            return known;
        }
        var count = new Count();
        for (var pod : pods.candidates(matches.getFirst().selector())) {
            if (isCounted(pod, matches)) {
                count.add(node.applyAsInt(pod), 1);
            }
        }
        counts.put(matches, count);
        if (counts.size() > KEPT_MAX) {
            counts.remove(counts.keySet().iterator().next());
        }
        return count;
    }

    private static boolean isCounted(PodSpec pod, List<Match> matches) {
        for (var match : matches) {
            if (!match.matches(pod)) {
                return false;
            }
        }
        return true;
    }
}
