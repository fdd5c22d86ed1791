package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;

/**
 * The permit of an increase lies between what was booked and what was asked, that of a decrease is what was asked; it
 * is what is booked then, nothing of it is buffer, and whoever moves, or is at its maximum, gets no more.
 */
public final class PermitsAreFair implements StepInvariant {
    @Override
    public String name() {
        return "permits are fair";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (!(step.command() instanceof LedgerCommand.Ask(var question, var _))
                || !(step.reply() instanceof PermitReply.Ruled ruled)
                || step.before() == step.after()) {
            return;
        }
        var was = step.before().members().find(question.member()).orElseThrow();
        var is = step.after().members().find(question.member()).orElseThrow();
        if (!is.amounts().reserved().equals(ruled.permit())) {
            throw broken("booked " + is.amounts() + " for " + told(step));
        }
        if (!is.amounts().buffer().equals(Resources.NONE)) {
            throw broken("a buffer outlived " + told(step));
        }
        for (var kind : ResourceKind.values()) {
            long before = was.amounts().reserved().of(kind);
            long asked = question.target().of(kind);
            long permit = ruled.permit().of(kind);
            boolean fair = asked <= before ? permit == asked : permit >= before && permit <= asked;
            boolean stays =
                    was.standing().migrating() || permit > was.limits().max().of(kind);
            if (!fair || permit > before && stays) {
                throw broken(kind + " went from " + before + " to " + permit + " of "
                        + was.limits().max() + (was.standing().migrating() ? ", moving" : "") + ": " + told(step));
            }
        }
    }
}
