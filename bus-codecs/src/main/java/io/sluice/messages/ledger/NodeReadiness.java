package io.sluice.messages.ledger;

/** What the ledger still promises of a node, by the node's condition Ready. */
public enum NodeReadiness {
    /** The condition is True, or there is none. */
    READY,
    /** It is False or Unknown: nothing new is held there, and nobody is moved away. */
    NOT_READY,
    /** It has been so for long: no VM there is granted growth either. */
    GROWTH_STOPPED
}
