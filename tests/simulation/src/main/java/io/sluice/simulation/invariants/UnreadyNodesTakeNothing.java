package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.Resources;
import java.time.Duration;

/**
 * On a node that was observed as not ready no new hold is made and no migration for pressure begins. After 15 s no VM
 * is granted more than it has, or than permits of lost state may have allowed.
 */
public final class UnreadyNodesTakeNothing implements StepInvariant {
    private static final Duration GRACE = Duration.ofSeconds(15);

    @Override
    public String name() {
        return "unready nodes take nothing";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        var unready = world.ledger().unreadyFor(step.node());
        if (unready.isEmpty() || step.before() == step.after()) {
            return;
        }
        boolean breaks = switch (step.command()) {
            case LedgerCommand.Hold hold ->
                step.reply() instanceof HoldReply.Held
                        && step.before()
                                .reservations()
                                .find(hold.reservation().pod().id())
                                .isEmpty();
            case LedgerCommand.Mark(var mark) ->
                step.reply() instanceof MarkReply.Marked && mark.cause() != MarkMigrating.Cause.UNDER_WAY;
            case LedgerCommand.RequestPermit(var request, var _) ->
                unready.get().compareTo(GRACE) >= 0
                        && step.reply() instanceof PermitReply.Ruled ruled
                        && grew(step.before().reservations().find(request.pod()).orElseThrow(), request, ruled);
            default -> false;
        };
        if (breaks) {
            throw broken("not ready for " + unready.get() + ", and " + reported(step));
        }
    }

    private static boolean grew(Reservation was, PermitRequest request, PermitReply.Ruled ruled) {
        var mayUse = was.amounts().reserved().max(request.lastPermit().orElse(Resources.NONE));
        return ruled.permit().exceeds(mayUse);
    }
}
