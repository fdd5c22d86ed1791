package io.sluice.messages.ledger;

import java.util.Objects;
import java.util.Optional;

/**
 * The node's books after a load.
 *
 * @param members how many members it has now
 * @param recovered how many of them wait for their agent's first question
 * @param newer the version of the listing that the books know and that is newer than this one, which changed nothing
 *     then
 */
public record LoadReply(int members, int recovered, Optional<Long> newer) {
    public LoadReply {
        Objects.requireNonNull(newer, "newer");
    }

    /** The listing was taken. */
    public LoadReply(int members, int recovered) {
        this(members, recovered, Optional.empty());
    }

    /** The listing changed nothing, as the books know a newer one. */
    public LoadReply behind(long known) {
        return new LoadReply(members, recovered, Optional.of(known));
    }
}
