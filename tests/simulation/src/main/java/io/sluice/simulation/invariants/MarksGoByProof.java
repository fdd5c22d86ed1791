package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/**
 * No mark is removed while its migration is under way, and no unmark removes the mark of another migration. Pressure
 * may give up an attempt whose object is still created late: it removes the mark of a migration that had not begun.
 */
public final class MarksGoByProof implements Invariant {
    @Override
    public String name() {
        return "marks go by proof";
    }

    @Override
    public void check(World world) {
        for (var happening : world.happenings()) {
            if (happening instanceof Happening.UnmarkSent(var unmark, var byInformers)
                    && stands(world, unmark)
                    && world.goesOn(unmark.attempt(), byInformers)) {
                throw broken("removed although its migration is under way: " + unmark);
            }
            if (happening instanceof Happening.Commanded step
                    && step.command() instanceof LedgerCommand.Unmark(var unmark)) {
                others(step, unmark.pod(), unmark.attempt());
            }
        }
    }

    /**
     * Whether the mark still exists. If not, it was removed before, and a late copy has created its migration a second
     * time.
     */
    private static boolean stands(World world, UnmarkMigrating unmark) {
        return world.ledger()
                .reservation(unmark.node(), unmark.pod())
                .filter(reservation -> reservation.status().marks().stream()
                        .anyMatch(mark -> mark.attempt().equals(unmark.attempt())))
                .isPresent();
    }

    private void others(Happening.Commanded step, String pod, String attempt) {
        var before = step.before().reservations().find(pod);
        var after = step.after().reservations().find(pod);
        if (before.isEmpty() || after.isEmpty()) {
            return;
        }
        for (var mark : before.get().status().marks()) {
            if (!mark.attempt().equals(attempt) && !after.get().status().marks().contains(mark)) {
                throw broken("the unmark of " + attempt + " removed " + mark + " of " + pod);
            }
        }
    }
}
