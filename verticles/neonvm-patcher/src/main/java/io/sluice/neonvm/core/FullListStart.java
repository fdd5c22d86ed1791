package io.sluice.neonvm.core;

import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import java.util.HashMap;
import java.util.Map;

/**
 * What the ledger replied of each node before the members of a full list were requested. Only this list may name it: it
 * alone is known to have been requested afterwards.
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

    /** The ledger replied, and no members were requested yet. */
    public void replied(String node, LoadReply reply) {
        reply.relist().ifPresent(named -> replied.put(node, named));
    }

    /** The members of a node by this list, with what the ledger has to know of its age. */
    public LoadNode named(LoadNode load) {
        var named = replied.get(load.node().node());
        return named == null ? load : load.relist(named);
    }
}
