package io.sluice.ledger.clustered;

/** What keeps two members from promising the same room; each of them hides what the others would let through. */
enum Safeguard {
    /** Hazelcast refuses operations on the map by what this process last told it of the majority. */
    PROTECTION,
    /** The majority is looked at again in the step that runs the commands, and in the one that makes the copy. */
    MAJORITY,
    /** Each copy that makes the majority has a member to be on, in both of these steps. */
    COPIES,
    /** A copy that did not confirm in time makes the command fail. */
    CONFIRMATION,
    /** Members agree about how many there are, and about the rules. */
    AGREEMENT,
    /** Also books that an answer leaves unchanged are copied before it is given. */
    UNCHANGED_TOO,
    /** Where two halves meet again, the books of the smaller one are thrown away. */
    DISCARD,
    /** Ledger state of another term is none, for who runs commands and for who keeps copies. */
    TERM
}
