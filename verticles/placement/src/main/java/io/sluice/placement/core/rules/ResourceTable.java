package io.sluice.placement.core.rules;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** What nodes can give and pods request, resource by resource. */
final class ResourceTable {
    /** The resource of which each pod takes one. */
    static final String PODS = "pods";

    private static final Column NOTHING = new Column();

    private final Map<String, Column> columns = new HashMap<>();

    /** One resource on all nodes. */
    static final class Column {
        private long[] allocatable = new long[64];
        private long[] requested = new long[64];

        private void reach(int node) {
            if (node >= requested.length) {
                int length = Math.max(node + 1, 2 * requested.length);
                allocatable = Arrays.copyOf(allocatable, length);
                requested = Arrays.copyOf(requested, length);
            }
        }

        /** By how much a node is short of room for that much more; not above 0 if it has room. */
        long shortBy(int node, long amount) {
            return node < requested.length ? amount - (allocatable[node] - requested[node]) : amount;
        }

        private void keepWithRoom(long amount, BitSet nodes) {
            var walk = new NodeIndex.Walk(nodes);
            for (int node = walk.next(); node >= 0; node = walk.next()) {
                if (shortBy(node, amount) > 0) {
                    nodes.clear(node);
                }
            }
        }
    }

    void change(int node, Map<String, Long> before, Map<String, Long> after) {
        before.keySet().forEach(resource -> column(resource, node).allocatable[node] = 0);
        after.forEach((resource, amount) -> column(resource, node).allocatable[node] = amount);
    }

    /** @param sign 1 for a pod that comes, -1 for one that goes */
    void request(int node, Map<String, Long> requests, int sign) {
        column(PODS, node).requested[node] += sign;
        requests.forEach((resource, amount) -> column(resource, node).requested[node] += sign * amount);
    }

    private Column column(String resource, int node) {
        var column = columns.computeIfAbsent(resource, added -> new Column());
        column.reach(node);
        return column;
    }

    /** By how much a node is short; not above 0 if it has room. */
    long shortBy(String resource, int node, long amount) {
        var column = columns.get(resource);
        return column == null ? amount : column.shortBy(node, amount);
    }

    /** Removes the nodes without room for that much more, and for one pod more. */
    void keepWithRoom(Map<String, Long> requests, BitSet nodes) {
        columns.getOrDefault(PODS, NOTHING).keepWithRoom(1, nodes);
        requests.forEach((resource, amount) -> {
            if (amount > 0) {
                columns.getOrDefault(resource, NOTHING).keepWithRoom(amount, nodes);
            }
        });
    }
}
