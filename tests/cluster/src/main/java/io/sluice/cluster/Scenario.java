package io.sluice.cluster;

import java.util.Optional;

/**
 * A fault by its name.
 *
 * @param name as it is asked for
 * @param what is done, in words
 * @param setup that it is done to
 * @param rounds that are played of it
 * @param cuts whether processes are cut off from each other
 * @param goal how long VMs may wait for answers while it lasts
 * @param keepsState whether no node may become incomplete by it
 */
record Scenario(
        String name, String what, Setup setup, int rounds, boolean cuts, Goal goal, boolean keepsState, Fault fault) {
    /** One that may cost all ledger state, and any time. */
    Scenario(String name, String what, Setup setup, int rounds, boolean cuts, Fault fault) {
        this(name, what, setup, rounds, cuts, Goal.NONE, false, fault);
    }

    Scenario within(Goal other) {
        return new Scenario(name, what, setup, rounds, cuts, other, keepsState, fault);
    }

    /** The same, where no node may become incomplete. */
    Scenario keepingState() {
        return new Scenario(name, what, setup, rounds, cuts, goal, true, fault);
    }

    /** Why it cannot be played; empty where it can. */
    Optional<String> unplayable(Optional<String> undivided) {
        return setup.unavailable().or(() -> cuts ? undivided : Optional.empty());
    }
}
