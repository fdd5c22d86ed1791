package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.RelistRequests;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;

/**
 * An observation of a VM in a pod without a reservation or tombstone makes the ledger request a full list: with its
 * next tick if none was requested shortly before, and within a bound in any case.
 */
public final class MissingPodsAreRequested implements Invariant {
    private static final long TICK = Seconds.of(1);
    private static final long BOUND = Seconds.of(RelistRequests.TICKS_MAX + 2L);
    private static final long NEVER = Long.MAX_VALUE;

    private long requestedAt = -BOUND;
    private long due = NEVER;
    private String missing = "";

    @Override
    public String name() {
        return "missing pods are requested";
    }

    @Override
    public void check(World world) {
        long now = world.time().now();
        for (var happening : world.happenings()) {
            switch (happening) {
                case Happening.RelistWanted _ -> {
                    requestedAt = now;
                    due = NEVER;
                }
                case Happening.LedgerBegun _ -> due = NEVER;
                case Happening.Commanded(var node, var before, LedgerCommand.ObserveVm(var vm), var _, var _)
                when due == NEVER
                        && !vm.pod().isEmpty()
                        && before.reservations().find(vm.pod()).isEmpty()
                        && !before.gone().hold(vm.pod()) -> {
                    due = Math.max(now + TICK, requestedAt + BOUND);
                    missing = vm.vm().name() + " in " + vm.pod() + " on " + node;
                }
                default -> {}
            }
        }
        if (now > due) {
            throw broken("no full list was requested although there was " + missing);
        }
    }
}
