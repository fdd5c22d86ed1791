package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/** An invariant of each command that is run on a node ledger. */
interface StepInvariant extends Invariant {
    @Override
    default void check(World world) {
        for (var happening : world.happenings()) {
            if (happening instanceof Happening.Commanded step) {
                check(world, step);
            }
        }
    }

    /** Checks one command. */
    void check(World world, Happening.Commanded step);

    /** The command and its effect on the node ledger, as text. */
    default String reported(Happening.Commanded step) {
        return step.command() + " => " + step.reply() + " on " + step.node();
    }

    /** Whether a command reports what is so already, so that it may reserve more than the total. */
    static boolean isObservation(LedgerCommand<?> command) {
        return switch (command) {
            case LedgerCommand.Load _,
                    LedgerCommand.ReclaimReservation _,
                    LedgerCommand.ObserveNode _,
                    LedgerCommand.LoseNode _,
                    LedgerCommand.ObservePod _,
                    LedgerCommand.LosePod _,
                    LedgerCommand.ObserveVm _,
                    LedgerCommand.Bind _ -> true;
            case LedgerCommand.Open _,
                    LedgerCommand.RequestPermit _,
                    LedgerCommand.Hold _,
                    LedgerCommand.Keep _,
                    LedgerCommand.Confirm _,
                    LedgerCommand.Release _,
                    LedgerCommand.Mark _,
                    LedgerCommand.Unmark _,
                    LedgerCommand.Reweigh _,
                    LedgerCommand.Tick _ -> false;
        };
    }
}
