package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.Reservation;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/**
 * What lost books may have permitted, and what the agent of a VM that was switched off may still use, stays booked
 * until that agent asks, or the member is settled; no fact frees it.
 */
public final class RecoveredMembersStay implements StepInvariant {
    @Override
    public String name() {
        return "recovered members stay";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (step.before() == step.after()
                || step.command() instanceof LedgerCommand.RequestPermit
                || step.command() instanceof LedgerCommand.ReclaimReservation) {
            return;
        }
        for (var was : step.before().members()) {
            if (waits(was, step.command())) {
                var is = step.after().members().find(was.id());
                if (is.isPresent()
                        && was.amounts().reserved().exceeds(is.get().amounts().reserved())) {
                    throw broken(was.who().label() + " went from " + was.amounts() + " to "
                            + is.get().amounts() + " by " + told(step));
                }
            }
        }
    }

    private static boolean waits(Reservation was, LedgerCommand<?> command) {
        return switch (was.standing().contact()) {
            case RECOVERED -> true;
            case FOUND, SWITCHED_OFF -> !(command instanceof LedgerCommand.Mark);
            case SETTLED, HEARD, EXPOSED -> false;
        };
    }
}
