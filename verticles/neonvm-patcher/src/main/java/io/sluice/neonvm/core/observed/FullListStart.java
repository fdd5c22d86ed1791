package io.sluice.neonvm.core.observed;

import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import java.util.HashMap;
import java.util.Map;

/**
 * The ledger's replies before the pods of a full list were requested. Each reply has a number, which only this list may
 * name: it was certainly requested after the reply.
 */
public final class FullListStart {
    private final long number;
    private final Map<String, Long> replied = new HashMap<>();

    /** @param number of the list, from 1 on */
    public FullListStart(long number) {
        this.number = number;
    }

    /** The number of the list. */
    public long number() {
        return number;
    }

    /** Takes the ledger's reply for a node; the pods were not requested yet. */
    public void replied(String node, LoadReply reply) {
        reply.relist().ifPresent(named -> replied.put(node, named));
    }

    /** Returns the load of a node by this list, with the number that proves its age to the ledger. */
    public LoadNode named(LoadNode load) {
        var named = replied.get(load.node().node());
        return named == null ? load : load.relist(named);
    }
}
