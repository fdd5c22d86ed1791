package io.sluice.ledger.core;

import java.util.Objects;

/**
 * Something that holds resources on a node: a VM's pod or any other.
 *
 * @param who its names
 * @param amounts what the books hold for it
 * @param limits what it may be
 * @param talk who speaks for it
 * @param standing how it stands on the node
 * @param seen which facts about it were taken
 */
public record Member(Identity who, Amounts amounts, Limits limits, Talk talk, Standing standing, Seen seen) {
    public Member {
        Objects.requireNonNull(who, "who");
        Objects.requireNonNull(amounts, "amounts");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(talk, "talk");
        Objects.requireNonNull(standing, "standing");
        Objects.requireNonNull(seen, "seen");
    }

    /** The pod's uid. */
    public String id() {
        return who.id();
    }

    Member with(Amounts newAmounts) {
        return new Member(who, newAmounts, limits, talk, standing, seen);
    }

    Member with(Limits newLimits) {
        return new Member(who, amounts, newLimits, talk, standing, seen);
    }

    Member with(Talk newTalk) {
        return new Member(who, amounts, limits, newTalk, standing, seen);
    }

    Member with(Standing newStanding) {
        return new Member(who, amounts, limits, talk, newStanding, seen);
    }

    Member with(Seen newSeen) {
        return new Member(who, amounts, limits, talk, standing, newSeen);
    }

    Member with(Identity newWho) {
        return new Member(newWho, amounts, limits, talk, standing, seen);
    }

    /** The same with other room asked for it; who speaks for it and what was seen of it stays. */
    Member bookedAs(Booking booking) {
        return new Member(booking.who(), booking.used(), Limits.fixed(booking.amounts()), talk, standing, seen);
    }
}
