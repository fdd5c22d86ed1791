package io.sluice.gateway.core.console;

import io.sluice.shell.explain.Explanation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The explanation of a VM's or node's state. */
public sealed interface Why {
    /**
     * The explanation.
     *
     * @param subject the VM's {@code namespace/name}, or the node's name
     * @param sentence the state, with the cause and its numbers
     * @param since when it began; empty if unknown
     * @param reasons earlier decisions and states, the newest first
     */
    record Known(String subject, String sentence, Optional<Instant> since, List<Explanation> reasons) implements Why {}

    /**
     * Several VMs have that name.
     *
     * @param candidates each as {@code namespace/name}, sorted
     */
    record Ambiguous(List<String> candidates) implements Why {}

    /** No VM or node of that name is known. */
    record Unknown() implements Why {}
}
