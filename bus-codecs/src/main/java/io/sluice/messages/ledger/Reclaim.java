package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * Books a member that is recovered, found past the ledger or switched off at what its VM was read to use, once no
 * earlier runner can still patch it.
 *
 * @param node the member's node
 * @param member the pod's uid
 * @param amounts the larger of the VM's spec, status and approved amounts, read with the new fence in place
 */
public record Reclaim(String node, String member, Resources amounts) {
    public Reclaim {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(amounts, "amounts");
    }
}
