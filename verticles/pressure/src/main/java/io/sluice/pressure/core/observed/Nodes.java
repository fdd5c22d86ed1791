package io.sluice.pressure.core.observed;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.shell.MissingKeyDetector;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The nodes that take nothing new, or not from everywhere. Those beyond a bound are not kept. */
public final class Nodes {
    private final int most;
    private final Map<String, NodeObserved> byName = new HashMap<>();
    private final MissingKeyDetector<String> roll = new MissingKeyDetector<>();

    /** Keeps that many at most. */
    public Nodes(int most) {
        this.most = most;
    }

    /** Takes a fact; whether there was room for it. */
    public boolean seen(NodeObserved seen) {
        var known = byName.get(seen.node());
        if (known == null && byName.size() >= most) {
            return false;
        }
        roll.named(seen.node());
        if (known == null || known.version() <= seen.version()) {
            byName.put(seen.node(), seen);
        }
        return true;
    }

    /** Takes a fact. */
    public void gone(NodeGone gone) {
        roll.struck(gone.node());
        byName.computeIfPresent(gone.node(), (name, known) -> known.version() <= gone.version() ? null : known);
    }

    /** Drops what was missed for long. */
    public void listed() {
        roll.listed().forEach(byName::remove);
    }

    /**
     * Why nobody from the one node may go to the other; empty where that one is open, or nothing is known of it.
     * Whoever runs on a node tolerates its taints: what stands on both keeps nobody away.
     */
    public Optional<String> against(String from, String to) {
        var node = byName.get(to);
        if (node == null) {
            return Optional.empty();
        }
        if (!node.closed().isEmpty()) {
            return Optional.of(node.closed());
        }
        var left = byName.get(from);
        return node.taints().stream()
                .filter(taint -> left == null || !left.taints().contains(taint))
                .findFirst()
                .map(taint -> "tainted " + taint + ", as " + from + " is not");
    }

    /** Why nothing new may go to a node, by its name. */
    public Map<String, String> closed() {
        return byName.values().stream()
                .filter(node -> !node.closed().isEmpty())
                .collect(Collectors.toMap(NodeObserved::node, NodeObserved::closed));
    }
}
