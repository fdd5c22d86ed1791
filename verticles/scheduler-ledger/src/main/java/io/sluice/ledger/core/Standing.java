package io.sluice.ledger.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * How a member stands on its node.
 *
 * @param contact how far its amounts rest on its agent's word
 * @param throughUs whether it was held or bound through this ledger, so that no books before can have permitted it
 *     anything
 * @param heldUntil when its hold frees itself; empty once it is bound
 * @param migrating whether it is moving away
 * @param forcedTold whether it was told that the VM used more than the books held, since its last answer
 * @param arrival whether a migration brought it here
 */
public record Standing(
        Contact contact,
        boolean throughUs,
        Optional<Instant> heldUntil,
        boolean migrating,
        boolean forcedTold,
        Arrival arrival) {
    /** Bound, with nothing to wait for. */
    static final Standing BOUND = bound(false, Arrival.NONE);

    public Standing {
        Objects.requireNonNull(contact, "contact");
        Objects.requireNonNull(heldUntil, "heldUntil");
        Objects.requireNonNull(arrival, "arrival");
    }

    /** Whether it is reserved and not bound yet. */
    public boolean held() {
        return heldUntil.isPresent();
    }

    static Standing bound(boolean throughUs, Arrival arrival) {
        return new Standing(Contact.HEARD, throughUs, Optional.empty(), false, false, arrival);
    }

    static Standing holding(Instant until) {
        return new Standing(Contact.HEARD, true, Optional.of(until), false, false, Arrival.NONE);
    }

    Standing bound() {
        return new Standing(contact, throughUs, Optional.empty(), migrating, forcedTold, arrival);
    }

    Standing heldTo(Instant until) {
        return new Standing(contact, throughUs, Optional.of(until), migrating, forcedTold, arrival);
    }

    Standing as(Contact newContact) {
        return new Standing(newContact, throughUs, heldUntil, migrating, forcedTold, arrival);
    }

    Standing moving(boolean nowMigrating) {
        return new Standing(contact, throughUs, heldUntil, nowMigrating, forcedTold, arrival);
    }

    Standing heard() {
        return new Standing(Contact.HEARD, throughUs, heldUntil, migrating, false, arrival);
    }

    Standing toldOfForce() {
        return new Standing(contact, throughUs, heldUntil, migrating, true, arrival);
    }

    Standing arrived(Arrival newArrival) {
        return new Standing(contact, throughUs, heldUntil, migrating, forcedTold, newArrival);
    }
}
