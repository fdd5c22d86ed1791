package io.sluice.why;

import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.LoadNode;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryContext;
import java.time.Duration;

/** Faults of the network for requests to the ledger. */
final class MessageFaults {
    private final Vertx vertx;

    MessageFaults(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Each permit request takes this long to arrive. */
    void permitsTake(Duration delay) {
        vertx.eventBus().<Object>addOutboundInterceptor(sent -> {
            if (sent.message().address().equals(LedgerAddresses.PERMIT.name())) {
                vertx.setTimer(delay.toMillis(), timer -> sent.next());
            } else {
                sent.next();
            }
        });
    }

    /** The full list of a node's pods never arrives. */
    void losesFullListsOf(String node) {
        vertx.eventBus().<Object>addOutboundInterceptor(sent -> {
            if (!isFullListOf(node, sent)) {
                sent.next();
            }
        });
    }

    private static boolean isFullListOf(String node, DeliveryContext<Object> sent) {
        return sent.body() instanceof LoadNode load && load.node().node().equals(node);
    }
}
