package io.sluice.messages.ledger.permit;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What an agent reports of its VM beside its request: without it a ledger cannot separate a request for more from what
 * the VM may come to use already.
 *
 * @param inUse what the VM uses now
 * @param exposure the most that it may come to use by patches that may still take effect; at least {@code inUse}
 */
public record ReportedUse(Resources inUse, Resources exposure) {
    public ReportedUse {
        Objects.requireNonNull(inUse, "inUse");
        Objects.requireNonNull(exposure, "exposure");
        if (inUse.exceeds(exposure)) {
            throw new IllegalArgumentException("exposure " + exposure + " must be at least what is in use, " + inUse);
        }
    }
}
