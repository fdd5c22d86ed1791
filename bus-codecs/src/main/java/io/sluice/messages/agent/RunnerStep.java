package io.sluice.messages.agent;

import io.sluice.units.VmId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What happened to a VM's scaling core at one event, and what it decided: for recordings. Published only while a tap of
 * the process is open.
 *
 * @param vm which VM
 * @param node where it runs
 * @param runner its runner
 * @param number grows by one with each step of a runner, so that a reader finds what is missing
 * @param goalCu what the policy in force asks for, in compute units, before bounds
 * @param shadowCu what the policy beside it asks for; empty without one, and without metrics
 * @param entries the journal of the event as JSON, in pieces of at most {@link #PIECE_MAX} characters
 */
public record RunnerStep(
        VmId vm,
        String node,
        String runner,
        long number,
        int goalCu,
        Optional<Integer> shadowCu,
        List<String> entries) {
    /** The most characters of a piece: a tap shortens longer texts. */
    public static final int PIECE_MAX = 900;

    public RunnerStep {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(runner, "runner");
        Objects.requireNonNull(shadowCu, "shadowCu");
        entries = List.copyOf(entries);
    }
}
