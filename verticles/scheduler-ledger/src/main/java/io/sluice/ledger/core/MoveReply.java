package io.sluice.ledger.core;

/** The ledger's answer to the begin or the end of a migration. Both may be repeated. */
public enum MoveReply {
    /** The member is as the command says. */
    DONE,
    /** No such member on the node; nothing changed. */
    MEMBER_UNKNOWN,
    /** The member runs no VM; nothing changed. */
    NOT_A_VM,
    /** The sums are beyond 64 bits; nothing changed. */
    OVERFLOW
}
