package io.sluice.messages.ledger.permit;

/** Why a ledger cannot decide for a node yet. */
public enum NotReadyCause {
    /** No full list of the node was taken since its ledger state was lost. */
    NODE_INCOMPLETE,
    /** The ledger has received no observation of the node. */
    NODE_UNKNOWN
}
