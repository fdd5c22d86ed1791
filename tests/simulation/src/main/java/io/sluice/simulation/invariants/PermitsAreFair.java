package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.Reservation;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;

/**
 * The permit of an increase lies between what the VM is known to have and what was asked, that of a decrease is what
 * was asked; nothing of it is buffer, and a VM that moves, or is at its maximum, gets no more. No VM grows on room that
 * is not there, or that is reserved for others.
 */
public final class PermitsAreFair implements StepInvariant {
    @Override
    public String name() {
        return "permits are fair";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (!(step.command() instanceof LedgerCommand.RequestPermit(var question, var _))
                || !(step.reply() instanceof PermitReply.Ruled ruled)
                || step.before() == step.after()) {
            return;
        }
        var was = step.before().members().find(question.member()).orElseThrow();
        var is = step.after().members().find(question.member()).orElseThrow();
        if (!is.amounts().told().equals(ruled.permit())) {
            throw broken("reserved " + is.amounts() + " for " + told(step));
        }
        if (is.amounts().reserved().exceeds(was.amounts().reserved().max(ruled.permit()))) {
            throw broken("reserved more than was permitted or reserved before, for " + told(step));
        }
        for (var kind : ResourceKind.values()) {
            long before = was.amounts().reserved().of(kind);
            long asked = question.target().of(kind);
            long permit = ruled.permit().of(kind);
            long known = known(was, question, kind);
            boolean fair = asked <= known ? permit == asked : permit >= known && permit <= asked;
            boolean stays =
                    was.standing().migrating() || permit > was.limits().max().of(kind);
            long others = step.after().sums().reserved().of(kind)
                    - is.amounts().charge().of(kind);
            long charge = permit * 1000 / factor(is, kind);
            boolean over = others + charge > step.after().size().total().of(kind);
            boolean grew = permit > known;
            if (!fair || permit > before && stays || grew && over) {
                throw broken(kind + " went from " + before + " to " + permit + " of "
                        + was.limits().max() + (over ? ", over the total" : "")
                        + (was.standing().migrating() ? ", moving" : "") + ": " + told(step));
            }
        }
    }

    /**
     * What its agent reports in use and was permitted last; of one that says neither, what is reserved without a
     * buffer.
     */
    private static long known(Reservation was, PermitRequest question, ResourceKind kind) {
        long told = was.amounts().told().of(kind);
        var claimed = question.lastPermit().map(permit -> permit.of(kind));
        long known = question.use()
                .map(use -> Math.max(use.inUse().of(kind), claimed.orElse(0L)))
                .orElse(claimed.orElse(told));
        return Math.min(known, was.amounts().reserved().of(kind));
    }

    private static long factor(Reservation is, ResourceKind kind) {
        var overcommit = is.amounts().overcommit();
        return kind == ResourceKind.CPU ? overcommit.cpuMilli() : overcommit.memoryMilli();
    }
}
