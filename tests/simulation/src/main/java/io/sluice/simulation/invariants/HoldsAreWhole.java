package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/**
 * A hold that was confirmed is reserved in full and takes no more of any kind than the node has; a hold that was
 * released is not reserved, and a mark reserves no more than its hold has.
 */
public final class HoldsAreWhole implements StepInvariant {
    @Override
    public String name() {
        return "holds are whole";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (step.command() instanceof LedgerCommand.Hold hold && step.reply() instanceof HoldReply.Held) {
            var held = step.after().reservations().find(hold.reservation().pod().id());
            if (held.isEmpty()
                    || hold.reservation().amounts().exceeds(held.get().amounts().reserved())) {
                throw broken("reserved " + held + " for " + reported(step));
            }
            fits(step);
            if (world.ledger().containsReleased(step.node(), hold.attempt())) {
                throw broken("held again after its release: " + reported(step));
            }
        } else if (step.command() instanceof LedgerCommand.Release(var holder, var attempt)
                && step.reply() instanceof HoldReply.Released
                && step.after()
                        .reservations()
                        .find(holder)
                        .filter(held -> held.status().heldFor().equals(attempt))
                        .isPresent()) {
            throw broken("still held after " + reported(step));
        } else if (step.command() instanceof LedgerCommand.Mark(var mark)
                && step.reply() instanceof MarkReply.Marked(var reserved)
                && step.before() != step.after()
                && (mark.cause() == MarkMigrating.Cause.PRESSURE || mark.cause() == MarkMigrating.Cause.ALWAYS)
                && reserved.exceeds(mark.room())) {
            throw broken("more was marked than is held: " + reported(step));
        }
    }

    /** Counts again what the hold took of the kinds beside CPU and memory. */
    private void fits(Happening.Commanded step) {
        var taken = step.after().sums().fixed().minus(step.before().sums().fixed());
        var over = step.after().sums().fixed().minus(step.after().size().fixed());
        if (!taken.min(over).isNone()) {
            throw broken("held " + taken + ", which is " + over + " more than the node has: " + reported(step));
        }
    }
}
