package io.sluice.ledger;

import io.sluice.messages.ledger.NodeLedgerView;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Says that a node's sums have changed: at once, then at most ten times a second, the last change always. Belongs to
 * one verticle's context.
 */
final class NodeAnnouncer {
    private static final long GAP_MS = 100;

    private final Vertx vertx;
    private final Consumer<NodeLedgerView> say;
    private final Map<String, Announced> nodes = new HashMap<>();

    NodeAnnouncer(Vertx vertx, Consumer<NodeLedgerView> say) {
        this.vertx = vertx;
        this.say = say;
    }

    /** What was said of a node last, what is to be said next, and whether it is too early for that. */
    private static final class Announced {
        private NodeLedgerView said;
        private NodeLedgerView latest;
        private boolean waits;

        private Announced(NodeLedgerView latest) {
            this.latest = latest;
        }
    }

    void changed(NodeLedgerView books) {
        var node = nodes.computeIfAbsent(books.node(), name -> new Announced(books));
        node.latest = books;
        if (!node.waits) {
            sayNews(node);
        }
    }

    /** What waits to be said is still said. */
    void forget(String node) {
        nodes.remove(node);
    }

    private void sayNews(Announced node) {
        node.waits = !node.latest.equals(node.said);
        if (node.waits) {
            node.said = node.latest;
            say.accept(node.latest);
            vertx.setTimer(GAP_MS, timer -> sayNews(node));
        }
    }
}
