package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/**
 * Room that is answered to be held is all there in the books, room that is released is not, and nobody is marked for
 * more than is held for it.
 */
public final class HoldsAreWhole implements StepInvariant {
    @Override
    public String name() {
        return "holds are whole";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (step.command() instanceof LedgerCommand.Hold hold && step.reply() instanceof HoldReply.Held) {
            var held = step.after().members().find(hold.booking().who().id());
            if (held.isEmpty()
                    || hold.booking().amounts().exceeds(held.get().amounts().reserved())) {
                throw broken("booked " + held + " for " + told(step));
            }
            if (world.ledger().knowsReleased(step.node(), hold.attempt())) {
                throw broken("held again after its release: " + told(step));
            }
        } else if (step.command() instanceof LedgerCommand.Release(var holder, var attempt)
                && step.reply() instanceof HoldReply.Released
                && step.after()
                        .members()
                        .find(holder)
                        .filter(held -> held.standing().heldFor().equals(attempt))
                        .isPresent()) {
            throw broken("still held after " + told(step));
        } else if (step.command() instanceof LedgerCommand.Mark(var mark)
                && step.reply() instanceof MarkReply.Marked(var reserved)
                && step.before() != step.after()
                && (mark.cause() == MarkMigrating.Cause.PRESSURE || mark.cause() == MarkMigrating.Cause.ALWAYS)
                && reserved.exceeds(mark.room())) {
            throw broken("more was marked than is held: " + told(step));
        }
    }
}
