package io.sluice.pressure.core;

import io.sluice.pressure.core.actions.ActionQueue;
import io.sluice.pressure.core.actions.PressureAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Schedules requests for snapshots of the ledger: for each node one at a time and at most one a second, and for all
 * nodes every 15 s.
 */
final class SnapshotSchedule {
    private static final Duration APART = Duration.ofSeconds(1);
    private static final Duration ALL_EVERY = Duration.ofSeconds(15);
    private static final String ALL = "";

    private final TreeSet<String> wanted = new TreeSet<>();
    private final Map<String, Instant> lastRequested = new HashMap<>();
    private final Map<Long, String> open = new HashMap<>();

    /** Schedules a snapshot of a node. */
    void require(String node) {
        if (!node.isEmpty()) {
            wanted.add(node);
        }
    }

    /** Forgets all other nodes, because they do not exist any more. */
    void onlyThese(Collection<String> nodes) {
        wanted.retainAll(nodes);
        lastRequested.keySet().removeIf(node -> !node.equals(ALL) && !nodes.contains(node));
    }

    /**
     * The node of the open request with that number, the empty name for all nodes; empty where no such request is open.
     */
    Optional<String> answered(long number) {
        return Optional.ofNullable(open.remove(number));
    }

    /** Sends the requests that are due. */
    void answered(ActionQueue out) {
        if (due(ALL, ALL_EVERY, out.now())) {
            request(ALL, out);
        }
        for (var node : new ArrayList<>(wanted)) {
            if (due(node, APART, out.now())) {
                wanted.remove(node);
                request(node, out);
            }
        }
    }

    private boolean due(String node, Duration apart, Instant now) {
        var last = lastRequested.get(node);
        return !open.containsValue(node) && (last == null || !now.isBefore(last.plus(apart)));
    }

    private void request(String node, ActionQueue out) {
        long number = out.next();
        open.put(number, node);
        lastRequested.put(node, out.now());
        out.add(new PressureAction.Look(number, node));
    }
}
