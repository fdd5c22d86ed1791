package io.sluice.messages.ledger;

import java.util.Objects;
import java.util.Optional;

/**
 * The node's books after a load.
 *
 * @param members how many members it has now
 * @param unsettled how many of them wait for their agent, or for being settled
 * @param relist what a list has to name that is requested from now on, the incarnation of an incomplete node or the
 *     version of the list that a complete one has; this list came too late then, and changed nothing
 */
public record LoadReply(int members, int unsettled, Optional<Long> relist) {
    public LoadReply {
        Objects.requireNonNull(relist, "relist");
    }

    /** The list was taken. */
    public LoadReply(int members, int unsettled) {
        this(members, unsettled, Optional.empty());
    }

    /** The list changed nothing; one that is requested from now on names this. */
    public LoadReply relist(long named) {
        return new LoadReply(members, unsettled, Optional.of(named));
    }
}
