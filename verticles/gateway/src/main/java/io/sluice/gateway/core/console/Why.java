package io.sluice.gateway.core.console;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The answer to the question why a VM or node stands as it does. */
public sealed interface Why {
    /**
     * It is known.
     *
     * @param subject the VM's {@code namespace/name}, or the node's name
     * @param sentence how it stands, or stood, with the cause and its numbers
     * @param since since when; empty where that is not known
     * @param reasons what was decided and how it stood before, the newest first
     */
    record Known(String subject, String sentence, Optional<Instant> since, List<Reason> reasons) implements Why {}

    /**
     * Several VMs have that name.
     *
     * @param candidates each as {@code namespace/name}, sorted
     */
    record Ambiguous(List<String> candidates) implements Why {}

    /** Nothing is known of it. */
    record Unknown() implements Why {}
}
