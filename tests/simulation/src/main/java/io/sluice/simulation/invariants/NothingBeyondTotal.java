package io.sluice.simulation.invariants;

import io.sluice.ledger.core.Contact;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;

/** Nothing but a fact, or the last permit of a member that lost books may have granted, books more than there is. */
public final class NothingBeyondTotal implements StepInvariant {
    @Override
    public String name() {
        return "nothing beyond the total";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (step.before() == step.after() || StepInvariant.isFact(step.command()) || isTrusted(step)) {
            return;
        }
        for (var kind : ResourceKind.values()) {
            long was = step.before().sums().reserved().of(kind);
            long is = step.after().sums().reserved().of(kind);
            if (is > was && is > step.after().size().total().of(kind)) {
                throw broken(kind + " reserved rose from " + was + " to " + is + " above "
                        + step.after().size().total() + " by " + told(step));
            }
        }
    }

    private static boolean isTrusted(Happening.Commanded step) {
        return step.command() instanceof LedgerCommand.RequestPermit(var question, var _)
                && step.before()
                        .members()
                        .find(question.member())
                        .filter(member -> member.standing().contact() == Contact.RECOVERED
                                || member.standing().contact() == Contact.SETTLED)
                        .isPresent();
    }
}
