package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/**
 * Books that were lost grant nothing, hold nothing and open nothing before one whole list of the node that was
 * requested after the loss.
 */
public final class NoGrantBeforeFullList implements StepInvariant {
    @Override
    public String name() {
        return "no grant before a listing";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        boolean grants = step.reply() instanceof PermitReply.Ruled
                || step.reply() instanceof OpenReply.Opened
                || step.reply() instanceof HoldReply.Held && step.command() instanceof LedgerCommand.Hold;
        if (grants && !world.ledger().covers(step.node())) {
            throw broken("no list that was requested since the books were lost was taken: " + told(step));
        }
    }
}
