package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * Lowers a reservation that is recovered, found without a hold or switched off to the VM's observed use, once no
 * earlier runner can still patch the VM.
 *
 * @param node the reservation's node
 * @param pod the pod's uid
 * @param amounts the larger of the VM's spec, status and approved amounts, read with the new fence in place
 * @param session that of the reservation before the fence was claimed: a later one may have permits that the read lacks
 */
public record Reclaim(String node, String pod, Resources amounts, long session) {
    /** Of a process of an earlier release, which names none. */
    public static final long ANY_SESSION = -1;

    public Reclaim {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(amounts, "amounts");
    }
}
