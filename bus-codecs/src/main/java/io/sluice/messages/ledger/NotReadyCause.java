package io.sluice.messages.ledger;

/** Why a ledger cannot answer for a node yet. */
public enum NotReadyCause {
    /** The node's members have not been listed since the books were empty. */
    NODE_INCOMPLETE,
    /** The ledger has not heard of the node at all. */
    NODE_UNKNOWN
}
