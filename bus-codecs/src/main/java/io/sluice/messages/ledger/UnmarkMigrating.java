package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * A migration has ended or was never begun, and its VM stays. Marks of other migrations stay, and the mark of this one
 * does not come back. May be repeated.
 *
 * @param node the node that it stays on
 * @param pod the pod's uid
 * @param attempt of the migration
 */
public record UnmarkMigrating(String node, String pod, String attempt) {
    public UnmarkMigrating {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(pod, "pod");
        AttemptId.checked(attempt);
    }
}
