package io.sluice.ledger.core;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * How a member stands on its node.
 *
 * @param contact how far its amounts rest on its agent's word
 * @param throughUs whether it was held or bound through this ledger
 * @param heldUntil when its hold frees itself; empty once it is bound
 * @param migrating whether it is moving away
 * @param forcedTold whether it was told that the VM used more than the books held, since its last answer
 */
public record Standing(
        Contact contact, boolean throughUs, Optional<Instant> heldUntil, boolean migrating, boolean forcedTold) {
    /** Bound, with nothing to wait for. */
    static final Standing BOUND = new Standing(Contact.HEARD, false, Optional.empty(), false, false);

    public Standing {
        Objects.requireNonNull(contact, "contact");
        Objects.requireNonNull(heldUntil, "heldUntil");
    }

    /** Whether it is reserved and not bound yet. */
    public boolean held() {
        return heldUntil.isPresent();
    }

    static Standing holding(Instant until) {
        return new Standing(Contact.HEARD, true, Optional.of(until), false, false);
    }

    static Standing boundThroughUs() {
        return new Standing(Contact.HEARD, true, Optional.empty(), false, false);
    }

    Standing bound() {
        return new Standing(contact, throughUs, Optional.empty(), migrating, forcedTold);
    }

    Standing as(Contact newContact) {
        return new Standing(newContact, throughUs, heldUntil, migrating, forcedTold);
    }

    Standing moving(boolean nowMigrating) {
        return new Standing(contact, throughUs, heldUntil, nowMigrating, forcedTold);
    }

    Standing heard() {
        return new Standing(Contact.HEARD, throughUs, heldUntil, migrating, false);
    }

    Standing toldOfForce() {
        return new Standing(contact, throughUs, heldUntil, migrating, true);
    }
}
