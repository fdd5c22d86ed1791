package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.RelistRequests;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/**
 * A VM that is observed in a pod which was not, and which is not known to have ended, makes the ledger ask for a full
 * list: with the next tick where none was asked for lately, and within the bound always.
 */
public final class MissingPodsAreAskedFor implements Invariant {
    private static final long TICK = Seconds.of(1);
    private static final long BOUND = Seconds.of(RelistRequests.TICKS_MAX + 2L);
    private static final long NEVER = Long.MAX_VALUE;

    private long askedAt = -BOUND;
    private long due = NEVER;
    private String missing = "";

    @Override
    public String name() {
        return "missing pods are asked for";
    }

    @Override
    public void check(World world) {
        long now = world.time().now();
        for (var happening : world.happenings()) {
            switch (happening) {
                case Happening.RelistWanted _ -> {
                    askedAt = now;
                    due = NEVER;
                }
                case Happening.LedgerBegun _ -> due = NEVER;
                case Happening.Commanded(var node, var before, LedgerCommand.SeeVm(var vm), var _, var _)
                when due == NEVER
                        && !vm.pod().isEmpty()
                        && before.members().find(vm.pod()).isEmpty()
                        && !before.gone().hold(vm.pod()) -> {
                    due = Math.max(now + TICK, askedAt + BOUND);
                    missing = vm.vm().name() + " in " + vm.pod() + " on " + node;
                }
                default -> {}
            }
        }
        if (now > due) {
            throw broken("nobody asked for a list although there was " + missing);
        }
    }
}
