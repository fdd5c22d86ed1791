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
 */
record Scenario(String name, String what, Setup setup, int rounds, boolean cuts, Fault fault) {
    /** Why it cannot be played; empty where it can. */
    Optional<String> unplayable(Optional<String> undivided) {
        return setup.unavailable().or(() -> cuts ? undivided : Optional.empty());
    }
}
