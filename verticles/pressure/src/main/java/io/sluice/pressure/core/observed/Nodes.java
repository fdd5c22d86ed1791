package io.sluice.pressure.core.observed;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.shell.MissingKeyDetector;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The observed nodes, with what closes them to VMs. The number of nodes is bounded. */
public final class Nodes {
    private final int most;
    private final Map<String, NodeObserved> byName = new HashMap<>();
    private final MissingKeyDetector<String> roll = new MissingKeyDetector<>();

    /** @param most the largest number of nodes */
    public Nodes(int most) {
        this.most = most;
    }

    /** Applies an observation; returns false if the limit is reached. */
    public boolean observed(NodeObserved observed) {
        var known = byName.get(observed.node());
        if (known == null && byName.size() >= most) {
            return false;
        }
        roll.named(observed.node());
        if (known == null || known.version() <= observed.version()) {
            byName.put(observed.node(), observed);
        }
        return true;
    }

    /** Removes a node whose deletion was observed. */
    public void gone(NodeGone gone) {
        roll.struck(gone.node());
        byName.computeIfPresent(gone.node(), (name, known) -> known.version() <= gone.version() ? null : known);
    }

    /** Removes nodes that were missing from two full lists in a row. */
    public void listed() {
        roll.listed().forEach(byName::remove);
    }

    /**
     * Why a VM of the one node may not go to the other; empty where that node is open, or was not observed. A VM on a
     * node tolerates its taints, so taints that both nodes have do not count.
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

    /** Why a node accepts no VM, by its name. */
    public Map<String, String> closed() {
        return byName.values().stream()
                .filter(node -> !node.closed().isEmpty())
                .collect(Collectors.toMap(NodeObserved::node, NodeObserved::closed));
    }
}
