package io.sluice.gateway.core.console.fleet;

import io.sluice.messages.cluster.MigrationPhase;
import java.time.Duration;
import java.time.Instant;

/**
 * A migration, as an overview shows it.
 *
 * @param name of the migration's object, in the VM's namespace
 * @param vm which VM, as {@code namespace/name}
 * @param phase how far it is
 * @param from the source node; empty if unknown
 * @param to the target node, or the node that holds room for it; empty if neither is known
 * @param since when the object was created
 * @param ours whether Sluice or a scheduler like it created it
 */
public record MigrationEntry(
        String name, String vm, MigrationPhase phase, String from, String to, Instant since, boolean ours) {
    /** The longest time of a migration of Sluice, unless {@code pressure.completionTimeout} is set. */
    private static final Duration HANGS_AFTER = Duration.ofHours(1);

    /** Returns whether another component created it and it exists for longer than that. */
    public boolean hangs(Instant now) {
        return !ours && !phase.ended() && !now.isBefore(since.plus(HANGS_AFTER));
    }

    /** Returns a clause about this, for a sentence. */
    public String hanging(Instant now) {
        return "the migration " + name + ", which Sluice did not create, has existed for " + AmountText.time(since, now)
                + ": nothing more is granted to its VM until it ends or is deleted";
    }
}
