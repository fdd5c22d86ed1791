package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * The pod of a hold is bound to the node now.
 *
 * @param node the node
 * @param holder the name that the room is held under
 */
public record ConfirmHold(String node, String holder) {
    public ConfirmHold {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(holder, "holder");
    }
}
