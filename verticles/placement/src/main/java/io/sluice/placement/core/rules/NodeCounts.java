package io.sluice.placement.core.rules;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** How often each node has each of some things. */
final class NodeCounts<T> {
    private final Map<T, Map<Integer, Integer>> counts = new HashMap<>();

    /** @param sign 1 for one more, -1 for one less */
    void change(T thing, int node, int sign) {
        var nodes = counts.computeIfAbsent(thing, added -> new HashMap<>());
        nodes.merge(node, sign, (before, change) -> before + change == 0 ? null : before + change);
        if (nodes.isEmpty()) {
            counts.remove(thing);
        }
    }

    Set<Map.Entry<T, Map<Integer, Integer>>> entries() {
        return counts.entrySet();
    }

    /** The nodes that have it. */
    Set<Integer> nodes(T thing) {
        return counts.getOrDefault(thing, Map.of()).keySet();
    }
}
