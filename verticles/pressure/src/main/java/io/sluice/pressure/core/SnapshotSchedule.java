package io.sluice.pressure.core;

import io.sluice.pressure.core.migrations.ActionQueue;
import io.sluice.pressure.core.migrations.PressureAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Paces the looks at books: one at a time for each node and no more than one a second, and one at all now and then. */
final class SnapshotSchedule {
    private static final Duration APART = Duration.ofSeconds(1);
    private static final Duration ALL_EVERY = Duration.ofSeconds(15);
    private static final String ALL = "";

    private final TreeSet<String> wanted = new TreeSet<>();
    private final Map<String, Instant> lastAsked = new HashMap<>();
    private final Map<Long, String> open = new HashMap<>();

    /** The books of a node are wanted, soon. */
    void want(String node) {
        if (!node.isEmpty()) {
            wanted.add(node);
        }
    }

    /** These nodes are no longer there. */
    void onlyThese(Collection<String> nodes) {
        wanted.retainAll(nodes);
        lastAsked.keySet().removeIf(node -> !node.equals(ALL) && !nodes.contains(node));
    }

    /** The node that this answers a look at, empty for all; nothing where it answers none that is open. */
    Optional<String> answered(long number) {
        return Optional.ofNullable(open.remove(number));
    }

    /** Asks for what is due. */
    void settle(ActionQueue out) {
        if (due(ALL, ALL_EVERY, out.now())) {
            ask(ALL, out);
        }
        for (var node : new ArrayList<>(wanted)) {
            if (due(node, APART, out.now())) {
                wanted.remove(node);
                ask(node, out);
            }
        }
    }

    private boolean due(String node, Duration apart, Instant now) {
        var last = lastAsked.get(node);
        return !open.containsValue(node) && (last == null || !now.isBefore(last.plus(apart)));
    }

    private void ask(String node, ActionQueue out) {
        long number = out.next();
        open.put(number, node);
        lastAsked.put(node, out.now());
        out.add(new PressureAction.Look(number, node));
    }
}
