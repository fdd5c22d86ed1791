package io.sluice.messages.ledger;

/** What the ledger grants on a node, by the node's condition Ready. */
public enum NodeReadiness {
    /** The condition is True, or there is none. */
    READY,
    /** It is False or Unknown: no new room is held there, and no VM is moved away. */
    NOT_READY,
    /** It has been so for longer than {@code ledger.notReadyGrace}: no VM there is granted growth either. */
    GROWTH_STOPPED
}
