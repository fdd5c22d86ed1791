package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * The room that is held is not needed any more.
 *
 * @param node the node
 * @param holder the name that the room is held under
 */
public record ReleaseHold(String node, String holder) {
    public ReleaseHold {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(holder, "holder");
    }
}
