package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.ReservationView;
import java.util.Objects;

/**
 * A VM or pod that stays.
 *
 * @param reservation its reservation
 * @param obstacle what keeps it
 * @param reason as text, with the numbers
 */
public record StayReason(ReservationView reservation, Obstacle obstacle, String reason) {
    public StayReason {
        Objects.requireNonNull(reservation, "reservation");
        Objects.requireNonNull(obstacle, "obstacle");
        Objects.requireNonNull(reason, "reason");
    }
}
