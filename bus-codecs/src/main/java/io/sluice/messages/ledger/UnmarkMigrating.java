package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * A member's migration has ended or was never begun, and the member stays. May be repeated.
 *
 * @param node the node that it stays on
 * @param member the pod's uid
 */
public record UnmarkMigrating(String node, String member) {
    public UnmarkMigrating {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(member, "member");
    }
}
