package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.Contact;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;

/**
 * Only an observation, or the last permit of a reservation after a loss of state, raises what is reserved above the
 * total.
 */
public final class NothingBeyondTotal implements StepInvariant {
    @Override
    public String name() {
        return "nothing beyond the total";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (step.before() == step.after() || StepInvariant.isObservation(step.command()) || isTrusted(step)) {
            return;
        }
        for (var kind : ResourceKind.values()) {
            long was = step.before().sums().reserved().of(kind);
            long is = step.after().sums().reserved().of(kind);
            if (is > was && is > step.after().size().total().of(kind)) {
                throw broken(kind + " reserved rose from " + was + " to " + is + " above "
                        + step.after().size().total() + " by " + reported(step));
            }
        }
    }

    private static boolean isTrusted(Happening.Commanded step) {
        return step.command() instanceof LedgerCommand.RequestPermit(var request, var _)
                && step.before()
                        .reservations()
                        .find(request.pod())
                        .filter(reservation -> reservation.status().contact() == Contact.RECOVERED
                                || reservation.status().contact() == Contact.RECLAIMED)
                        .isPresent();
    }
}
