package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/**
 * What permits of lost ledger state may have allowed stays reserved until the agent requests or the reservation is
 * reclaimed; so does what the agent of a VM that was switched off may still use. No observation lowers it.
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
        for (var was : step.before().reservations()) {
            if (waits(was, step.command())) {
                var is = step.after().reservations().find(was.id());
                if (is.isPresent()
                        && was.amounts().reserved().exceeds(is.get().amounts().reserved())) {
                    throw broken(was.pod().label() + " went from " + was.amounts() + " to "
                            + is.get().amounts() + " by " + reported(step));
                }
            }
        }
    }

    private static boolean waits(Reservation was, LedgerCommand<?> command) {
        return switch (was.status().contact()) {
            case RECOVERED -> true;
            case FOUND, SWITCHED_OFF -> !(command instanceof LedgerCommand.Mark);
            case RECLAIMED, REQUESTED, EXPOSED -> false;
        };
    }
}
