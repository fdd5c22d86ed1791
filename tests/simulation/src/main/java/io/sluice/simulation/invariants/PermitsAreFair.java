package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;

/**
 * The permit of an increase lies between what the VM has and what was requested; that of a decrease is what was
 * requested. None of it is buffer. A VM that migrates, or is at its maximum, gets no more. No VM grows into room that
 * does not exist, or that is reserved for others.
 */
public final class PermitsAreFair implements StepInvariant {
    @Override
    public String name() {
        return "permits are fair";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (!(step.command() instanceof LedgerCommand.RequestPermit(var request, var _))
                || !(step.reply() instanceof PermitReply.Ruled ruled)
                || step.before() == step.after()) {
            return;
        }
        var was = step.before().reservations().find(request.pod()).orElseThrow();
        var is = step.after().reservations().find(request.pod()).orElseThrow();
        if (!is.amounts().reported().equals(ruled.permit())) {
            throw broken("reserved " + is.amounts() + " for " + reported(step));
        }
        var most = was.amounts().reserved().max(ruled.permit()).max(lostPermit(was, request));
        if (is.amounts().reserved().exceeds(most)) {
            throw broken("reserved more than was permitted or reserved before, for " + reported(step));
        }
        for (var kind : ResourceKind.values()) {
            long before = was.amounts().reserved().of(kind);
            long requested = request.target().of(kind);
            long permit = ruled.permit().of(kind);
            long known = known(was, request, kind);
            boolean fair = requested <= known ? permit == requested : permit >= known && permit <= requested;
            boolean stays =
                    was.status().migrating() || permit > was.limits().max().of(kind);
            long others = step.after().sums().reserved().of(kind)
                    - is.amounts().charge().of(kind);
            long charge = permit * 1000 / factor(is, kind);
            boolean over = others + charge > step.after().size().total().of(kind);
            boolean grew = permit > Math.max(known, lostPermit(was, request).of(kind));
            if (!fair || permit > before && stays || grew && over) {
                throw broken(kind + " went from " + before + " to " + permit + " of "
                        + was.limits().max() + (over ? ", over the total" : "")
                        + (was.status().migrating() ? ", migrating" : "") + ": " + reported(step));
            }
        }
    }

    /** The last permit that lost state may have given: it counts up to the maximum, with or without room. */
    private static Resources lostPermit(Reservation was, PermitRequest request) {
        return was.status().contact().afterLoss()
                ? request.lastPermit().orElse(Resources.NONE).min(was.limits().max())
                : Resources.NONE;
    }

    /**
     * What its agent reports in use, or its last permit if that is more; for an agent that names neither, what is
     * reserved without the buffer.
     */
    private static long known(Reservation was, PermitRequest request, ResourceKind kind) {
        long reported = was.amounts().reported().of(kind);
        var claimed = request.lastPermit().map(permit -> permit.of(kind));
        long known = request.use()
                .map(use -> Math.max(use.inUse().of(kind), claimed.orElse(0L)))
                .orElse(claimed.orElse(reported));
        return Math.min(known, was.amounts().reserved().of(kind));
    }

    private static long factor(Reservation is, ResourceKind kind) {
        var overcommit = is.amounts().overcommit();
        return kind == ResourceKind.CPU ? overcommit.cpuMilli() : overcommit.memoryMilli();
    }
}
