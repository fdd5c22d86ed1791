package io.sluice.ledger;

import io.sluice.messages.ledger.NodeLedgerView;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Publishes the sums of nodes that changed: at once, then at most ten times a second, and always the last change. To be
 * used on one verticle's context.
 */
final class NodeAnnouncer {
    private static final long GAP_MS = 100;

    private final Vertx vertx;
    private final Consumer<NodeLedgerView> publish;
    private final Map<String, Announced> nodes = new HashMap<>();

    NodeAnnouncer(Vertx vertx, Consumer<NodeLedgerView> publish) {
        this.vertx = vertx;
        this.publish = publish;
    }

    /** What was last published of a node, what is to be published next, and whether the gap has not passed yet. */
    private static final class Announced {
        private NodeLedgerView view;
        private NodeLedgerView latest;
        private boolean waits;

        private Announced(NodeLedgerView latest) {
            this.latest = latest;
        }
    }

    void changed(NodeLedgerView ledger) {
        var node = nodes.computeIfAbsent(ledger.node(), name -> new Announced(ledger));
        node.latest = ledger;
        if (!node.waits) {
            publishNews(node);
        }
    }

    /** A change that waits is still published. */
    void forget(String node) {
        nodes.remove(node);
    }

    private void publishNews(Announced node) {
        node.waits = !node.latest.equals(node.view);
        if (node.waits) {
            node.view = node.latest;
            publish.accept(node.latest);
            vertx.setTimer(GAP_MS, timer -> publishNews(node));
        }
    }
}
