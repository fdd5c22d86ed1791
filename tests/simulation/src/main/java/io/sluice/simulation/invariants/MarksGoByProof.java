package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/**
 * A mark is taken back by nobody while its migration goes on, and with it no other migration's. Who arranges a
 * migration may give up an attempt whose object comes all the same, late: it takes back what was not begun.
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
                throw broken("taken back although it goes on: " + unmark);
            }
            if (happening instanceof Happening.Commanded step
                    && step.command() instanceof LedgerCommand.Unmark(var unmark)) {
                others(step, unmark.member(), unmark.attempt());
            }
        }
    }

    /** One that does not stand was taken back before: a late copy has made its migration a second time. */
    private static boolean stands(World world, UnmarkMigrating unmark) {
        return world.ledger()
                .member(unmark.node(), unmark.member())
                .filter(member -> member.standing().marks().stream()
                        .anyMatch(mark -> mark.attempt().equals(unmark.attempt())))
                .isPresent();
    }

    private void others(Happening.Commanded step, String member, String attempt) {
        var before = step.before().members().find(member);
        var after = step.after().members().find(member);
        if (before.isEmpty() || after.isEmpty()) {
            return;
        }
        for (var mark : before.get().standing().marks()) {
            if (!mark.attempt().equals(attempt)
                    && !after.get().standing().marks().contains(mark)) {
                throw broken("the unmark of " + attempt + " took back " + mark + " of " + member);
            }
        }
    }
}
