package io.sluice.cluster;

import io.sluice.cluster.process.Setup;
import java.util.Optional;

/**
 * A fault with its name and its limits.
 *
 * @param name name on the command line
 * @param what the fault in words
 * @param setup setup on which it is played
 * @param rounds default number of rounds
 * @param cuts whether processes are cut off from each other
 * @param goal how long VMs may wait for permits while it lasts
 * @param keepsState whether no node may become incomplete by it
 */
record Scenario(
        String name, String what, Setup setup, int rounds, boolean cuts, Goal goal, boolean keepsState, Fault fault) {
    /** A fault that may lose all ledger state, and take any time. */
    Scenario(String name, String what, Setup setup, int rounds, boolean cuts, Fault fault) {
        this(name, what, setup, rounds, cuts, Goal.NONE, false, fault);
    }

    Scenario within(Goal other) {
        return new Scenario(name, what, setup, rounds, cuts, other, keepsState, fault);
    }

    /** The same fault, with the limit that no node becomes incomplete. */
    Scenario keepingState() {
        return new Scenario(name, what, setup, rounds, cuts, goal, true, fault);
    }

    /** Why it cannot be played; empty if it can. */
    Optional<String> unplayable(Optional<String> undivided) {
        return setup.unavailable().or(() -> cuts ? undivided : Optional.empty());
    }
}
