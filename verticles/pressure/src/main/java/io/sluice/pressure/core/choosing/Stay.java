package io.sluice.pressure.core.choosing;

import io.sluice.messages.ledger.MemberBooks;
import java.util.Objects;

/**
 * A member that does not leave.
 *
 * @param member who
 * @param obstacle what keeps it
 * @param reason in words, with the numbers
 */
public record Stay(MemberBooks member, Obstacle obstacle, String reason) {
    public Stay {
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(obstacle, "obstacle");
        Objects.requireNonNull(reason, "reason");
    }
}
