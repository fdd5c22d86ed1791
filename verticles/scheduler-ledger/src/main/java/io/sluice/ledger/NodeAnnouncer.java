package io.sluice.ledger;

import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.ledger.NodeLedgerView;
import io.vertx.core.Vertx;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Publishes the sums of nodes that changed: at once, then at most ten times a second, and always the last change. Sums
 * that changed and changed back meanwhile are published too: others may have counted on the change. To be used on one
 * verticle's context.
 */
final class NodeAnnouncer {
    private static final long GAP_MS = 100;

    private final Vertx vertx;
    private final Function<NodeState, NodeLedgerView> view;
    private final Consumer<NodeLedgerView> publish;
    private final Map<String, Announced> nodes = new HashMap<>();

    /** @param view is called for published states, and for changes until one differs from what was published */
    NodeAnnouncer(Vertx vertx, Function<NodeState, NodeLedgerView> view, Consumer<NodeLedgerView> publish) {
        this.vertx = vertx;
        this.view = view;
        this.publish = publish;
    }

    /** What was last published of a node, what is to be published next, and whether the gap has not passed yet. */
    private static final class Announced {
        private NodeLedgerView view;
        private NodeState latest;
        private boolean waits;
        private boolean differed;
    }

    /** The nodes of which it publishes. */
    Set<String> nodes() {
        return Collections.unmodifiableSet(nodes.keySet());
    }

    /** The state that it has already is no change: most ticks change nothing. */
    void changed(NodeState state) {
        var node = nodes.computeIfAbsent(state.node(), name -> new Announced());
        if (node.latest == state) {
            return;
        }
        node.latest = state;
        if (!node.waits) {
            publishNews(node);
        } else if (!node.differed) {
            node.differed = !view.apply(state).equals(node.view);
        }
    }

    /** A change that waits is still published. */
    void forget(String node) {
        nodes.remove(node);
    }

    private void publishNews(Announced node) {
        var latest = view.apply(node.latest);
        node.waits = node.differed || !latest.equals(node.view);
        node.differed = false;
        if (node.waits) {
            node.view = latest;
            publish.accept(latest);
            vertx.setTimer(GAP_MS, timer -> publishNews(node));
        }
    }
}
