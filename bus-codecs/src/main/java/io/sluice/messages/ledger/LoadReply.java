package io.sluice.messages.ledger;

import java.util.Objects;
import java.util.Optional;

/**
 * The ledger's reply to a full list of a node.
 *
 * @param reservations how many reservations the node has now
 * @param unsettled how many of them wait for a request of their agent, or for being reclaimed
 * @param relist what a list that is requested from now on must name: the incarnation of an incomplete node or the
 *     version of a complete node's list. Where it is given, this list came too late and changed nothing
 */
public record LoadReply(int reservations, int unsettled, Optional<Long> relist) {
    public LoadReply {
        Objects.requireNonNull(relist, "relist");
    }

    /** The list was taken. */
    public LoadReply(int members, int unsettled) {
        this(members, unsettled, Optional.empty());
    }

    /** The list changed nothing; one that is requested from now on names this. */
    public LoadReply relist(long named) {
        return new LoadReply(reservations, unsettled, Optional.of(named));
    }
}
