package io.sluice.simulation.invariants;

import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Map;

/**
 * The sums of a node equal those over its reservations, counted anew here; accounted pressure is that of reservations
 * with a migration mark.
 */
public final class NodeSumsAddUp implements StepInvariant {
    @Override
    public String name() {
        return "node sums add up";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (step.before() == step.after()) {
            return;
        }
        var cpu = new long[8];
        var memory = new long[8];
        var fixed = FixedAmounts.NONE;
        for (var reservation : step.after().reservations()) {
            var amounts = reservation.amounts();
            var status = reservation.status();
            var over = amounts.overcommit();
            var deferred = reservation.observations().deferred();
            fixed = fixed.plus(reservation.fixed());
            for (var share : reservation.shares()) {
                fixed = fixed.plus(FixedAmounts.of(
                        Map.of("gpu.memory/" + share.uuid(), share.memoryMiB(), "gpu.core/" + share.uuid(), (long)
                                share.core())));
            }
            add(
                    cpu,
                    amounts.reserved().milliCpu(),
                    amounts.pressure().milliCpu(),
                    deferred.milliCpu(),
                    amounts.buffer().milliCpu(),
                    over.cpuMilli(),
                    status.held(),
                    status.migrating());
            add(
                    memory,
                    amounts.reserved().memoryBytes(),
                    amounts.pressure().memoryBytes(),
                    deferred.memoryBytes(),
                    amounts.buffer().memoryBytes(),
                    over.memoryMilli(),
                    status.held(),
                    status.migrating());
        }
        var sums = step.after().sums();
        if (!sums.fixed().equals(fixed)) {
            throw broken("the sum of fixed amounts is " + sums.fixed() + " and should be " + fixed + " after "
                    + reported(step));
        }
        var reported = new Resources[] {
            sums.reserved(),
            sums.committed(),
            sums.held(),
            sums.buffer(),
            sums.capacityPressure(),
            sums.accountedPressure(),
            sums.migrating(),
            sums.deferred()
        };
        for (int i = 0; i < reported.length; i++) {
            if (reported[i].milliCpu() != cpu[i] || reported[i].memoryBytes() != memory[i]) {
                throw broken("sum " + i + " is " + reported[i] + " and should be " + cpu[i] + "m, " + memory[i]
                        + " B after " + reported(step));
            }
        }
    }

    private static void add(
            long[] sums,
            long reserved,
            long pressure,
            long deferred,
            long buffer,
            long over,
            boolean held,
            boolean moves) {
        long charge = reserved * 1_000 / over;
        long pressed = pressure * 1_000 / over;
        sums[0] += charge;
        sums[1] += reserved;
        sums[2] += held ? charge : 0;
        sums[3] += buffer * 1_000 / over;
        long refused = deferred * 1_000 / over;
        sums[4] += pressed + refused;
        sums[5] += moves ? charge + pressed : 0;
        sums[6] += moves ? charge : 0;
        sums[7] += refused;
    }
}
