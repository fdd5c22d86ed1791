package io.sluice.mysteries;

import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.ledger.LoadNode;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryContext;
import java.time.Duration;

/** What a network may do to questions to the ledger on their way. */
final class Detours {
    private final Vertx vertx;

    Detours(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Each question for a permit takes this long to arrive. */
    void permitsTake(Duration delay) {
        vertx.eventBus().<Object>addOutboundInterceptor(sent -> {
            if (sent.message().address().equals(LedgerAddresses.PERMIT.name())) {
                vertx.setTimer(delay.toMillis(), timer -> sent.next());
            } else {
                sent.next();
            }
        });
    }

    /** The listing of a node's members never arrives. */
    void losesListingsOf(String node) {
        vertx.eventBus().<Object>addOutboundInterceptor(sent -> {
            if (!isListingOf(node, sent)) {
                sent.next();
            }
        });
    }

    private static boolean isListingOf(String node, DeliveryContext<Object> sent) {
        return sent.body() instanceof LoadNode load && load.node().node().equals(node);
    }
}
