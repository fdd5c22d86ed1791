package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.ReservationView;
import java.util.Objects;

/**
 * A member that does not leave.
 *
 * @param member who
 * @param obstacle what keeps it
 * @param reason in words, with the numbers
 */
public record StayReason(ReservationView member, Obstacle obstacle, String reason) {
    public StayReason {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(obstacle, "obstacle");
        Objects.requireNonNull(reason, "reason");
    }
}
