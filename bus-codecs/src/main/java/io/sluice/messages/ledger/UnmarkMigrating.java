package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * A migration has ended or was never begun, and its VM stays. Marks of other migrations stay, and this one's does not
 * come back. May be repeated.
 *
 * @param node the node that it stays on
 * @param member the pod's uid
 * @param attempt of the migration
 */
public record UnmarkMigrating(String node, String member, String attempt) {
    public UnmarkMigrating {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(member, "member");
        AttemptId.checked(attempt);
    }
}
