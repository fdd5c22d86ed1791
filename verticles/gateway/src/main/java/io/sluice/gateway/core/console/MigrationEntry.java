package io.sluice.gateway.core.console;

import io.sluice.messages.cluster.MigrationPhase;
import java.time.Duration;
import java.time.Instant;

/**
 * A VM on its way, as an overview shows it.
 *
 * @param name of the migration's object, in the VM's namespace
 * @param vm which VM, as {@code namespace/name}
 * @param phase how far it is
 * @param from the node that it leaves; empty where that is not known
 * @param to the node that it goes to, or that has room for it; empty where neither is known
 * @param since when the object was made
 * @param ours whether it was begun by Sluice or a scheduler like it
 */
public record MigrationEntry(
        String name, String vm, MigrationPhase phase, String from, String to, Instant since, boolean ours) {
    /** As long as any of ours may take, unless {@code pressure.completionTimeout} says otherwise. */
    private static final Duration HANGS_AFTER = Duration.ofHours(1);

    /** Whether somebody else began it, and it is there for longer than one of ours would be let be. */
    boolean hangs(Instant now) {
        return !ours && !phase.ended() && !now.isBefore(since.plus(HANGS_AFTER));
    }

    /** What that means, for a sentence. */
    String hanging(Instant now) {
        return "the migration " + name + ", which somebody else began, has been there for "
                + AmountText.time(since, now) + ": nothing more is granted to its VM until it ends or is deleted";
    }
}
