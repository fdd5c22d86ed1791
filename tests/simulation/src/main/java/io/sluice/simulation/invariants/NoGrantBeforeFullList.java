package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/**
 * A node whose ledger state was lost grants, holds and opens nothing before a full list is loaded that was requested
 * after the loss.
 */
public final class NoGrantBeforeFullList implements StepInvariant {
    @Override
    public String name() {
        return "no grant before a full list";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        boolean grants = step.reply() instanceof PermitReply.Ruled
                || step.reply() instanceof OpenReply.Opened
                || step.reply() instanceof HoldReply.Held && step.command() instanceof LedgerCommand.Hold;
        if (grants && !world.ledger().covers(step.node())) {
            throw broken(
                    "no full list was loaded that was requested after the loss of the ledger state: " + reported(step));
        }
    }
}
