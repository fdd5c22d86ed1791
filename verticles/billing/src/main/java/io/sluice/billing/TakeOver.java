package io.sluice.billing;

import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * What a process that begins to bill continues from.
 *
 * @param last the checkpoint of the last leader
 * @param here VMs of the last checkpoint in this process's outbox
 * @param isUncertain whether another process may have billed after that checkpoint
 * @param took how long ago this process became the oldest; until then another one has billed
 */
record TakeOver(UsageCheckpoint.Read last, Collection<VmId> here, boolean isUncertain, Duration took) {
    TakeOver {
        here = Set.copyOf(here);
    }

    /** The least time of the clock of bills now: what is before it is billed. */
    Optional<Instant> least() {
        return last.receivedUntil().map(received -> received.plus(took));
    }
}
