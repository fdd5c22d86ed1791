package io.sluice.gateway.core.console;

import io.sluice.messages.ledger.grant.NearestGrant;
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
     * @param nearest what would let its request be granted, where one is denied
     * @param target what would let a node take a VM that should leave its node and cannot
     * @param stays why a VM stays on its node, or would leave it; empty where that is unknown, and for others
     * @param driver what applies a size to the VM, such as {@code pod}; empty where that is unknown, and for others
     */
    record Known(
            String subject,
            String sentence,
            Optional<Instant> since,
            List<Explanation> reasons,
            NearestGrant nearest,
            NearestGrant target,
            String stays,
            String driver)
            implements Why {
        Known(String subject, String sentence, Optional<Instant> since, List<Explanation> reasons) {
            this(subject, sentence, since, reasons, NearestGrant.UNKNOWN, NearestGrant.UNKNOWN, "", "");
        }

        /** The same with what would let its request be granted, and let a node take it. */
        public Known with(NearestGrant newNearest, NearestGrant newTarget) {
            return new Known(subject, sentence, since, reasons, newNearest, newTarget, stays, driver);
        }

        /** The same of a VM with that driver. */
        Known withDriver(String vmDriver) {
            return new Known(subject, sentence, since, reasons, nearest, target, stays, vmDriver);
        }
    }

    /**
     * Several VMs have that name.
     *
     * @param candidates each as {@code namespace/name}, sorted
     */
    record Ambiguous(List<String> candidates) implements Why {}

    /** No VM or node of that name is known. */
    record Unknown() implements Why {}
}
