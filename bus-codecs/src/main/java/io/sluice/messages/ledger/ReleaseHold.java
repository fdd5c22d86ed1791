package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * Releases held room. Nothing is held for its attempt again; room of another attempt stays. If a bind of the pod was
 * sent, this follows only a read or a reply by which that bind has no effect any more.
 *
 * @param node the node
 * @param holder the name that the room is held under
 * @param attempt of the migration or placement that the room was for; {@link AttemptId#NONE} where there is none
 */
public record ReleaseHold(String node, String holder, String attempt) {
    public ReleaseHold {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(holder, "holder");
        AttemptId.checkedOrNone(attempt);
    }

    /** Of a pod's hold. */
    public ReleaseHold(String node, String holder) {
        this(node, holder, AttemptId.NONE);
    }
}
