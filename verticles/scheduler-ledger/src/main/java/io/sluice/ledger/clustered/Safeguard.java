package io.sluice.ledger.clustered;

/** The rules that keep two members from granting the same room. Each one also covers failures of the others. */
enum Safeguard {
    /** Hazelcast refuses operations on the map by this process's last result of the majority check. */
    PROTECTION,
    /** The majority is checked again in the step that runs the commands, and in the step that makes the replica. */
    MAJORITY,
    /** Each replica that makes the majority has a member, in both of these steps. */
    COPIES,
    /** The command fails if a replica does not confirm in time. */
    CONFIRMATION,
    /** Members agree on the number of ledger processes and on the rules. */
    AGREEMENT,
    /** The state is also replicated before a reply that leaves it unchanged. */
    UNCHANGED_TOO,
    /** Where two sides of a split merge, the state of the smaller side is discarded. */
    DISCARD,
    /** State of another term counts as none, for the owner that runs commands and for replicas. */
    TERM
}
