package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/** One about each command that is run on a node's books. */
interface StepInvariant extends Invariant {
    @Override
    default void check(World world) {
        for (var happening : world.happenings()) {
            if (happening instanceof Happening.Commanded step) {
                check(world, step);
            }
        }
    }

    /** Looks at one command. */
    void check(World world, Happening.Commanded step);

    /** The command with what it made of the books, for a sentence. */
    default String told(Happening.Commanded step) {
        return step.command() + " => " + step.reply() + " on " + step.node();
    }

    /** Whether a command tells what is so already, so that it may book more than there is. */
    static boolean isFact(LedgerCommand<?> command) {
        return switch (command) {
            case LedgerCommand.Load _,
                    LedgerCommand.ReclaimReservation _,
                    LedgerCommand.SeeNode _,
                    LedgerCommand.LoseNode _,
                    LedgerCommand.SeePod _,
                    LedgerCommand.LosePod _,
                    LedgerCommand.SeeVm _,
                    LedgerCommand.Bind _ -> true;
            case LedgerCommand.Open _,
                    LedgerCommand.RequestPermit _,
                    LedgerCommand.Hold _,
                    LedgerCommand.Confirm _,
                    LedgerCommand.Release _,
                    LedgerCommand.Mark _,
                    LedgerCommand.Unmark _,
                    LedgerCommand.Reweigh _,
                    LedgerCommand.Tick _ -> false;
        };
    }
}
