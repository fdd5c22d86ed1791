package io.sluice.simulation.invariants;

import io.sluice.ledger.core.Contact;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.Member;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;

/**
 * The permit of an increase lies between what the asker is known to have and what was asked, that of a decrease is what
 * was asked; it is what is booked then, nothing of it is buffer, and whoever moves, or is at its maximum, gets no more.
 * Nobody who says what he was permitted last grows on a node that is promised more than it has.
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
            long known = known(was, question, kind);
            boolean fair = asked <= known ? permit == asked : permit >= known && permit <= asked;
            boolean stays =
                    was.standing().migrating() || permit > was.limits().max().of(kind);
            boolean over = step.after().sums().reserved().of(kind)
                    > step.after().size().total().of(kind);
            boolean grew = permit > known && question.lastPermit().isPresent();
            if (!fair || permit > before && stays || grew && over) {
                throw broken(kind + " went from " + before + " to " + permit + " of "
                        + was.limits().max() + (over ? ", over the total" : "")
                        + (was.standing().migrating() ? ", moving" : "") + ": " + told(step));
            }
        }
    }

    /** What it uses or was permitted by these books, or by lost ones as the asker says. */
    private static long known(Member was, PermitRequest question, ResourceKind kind) {
        long told = was.amounts().told().of(kind);
        long claimed = question.lastPermit().map(permit -> permit.of(kind)).orElse(0L);
        boolean counts = was.standing().contact() != Contact.HEARD;
        return counts
                ? Math.max(told, Math.min(claimed, was.amounts().reserved().of(kind)))
                : told;
    }
}
