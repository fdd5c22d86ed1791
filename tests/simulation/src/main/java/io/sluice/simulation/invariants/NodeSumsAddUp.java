package io.sluice.simulation.invariants;

import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.Resources;

/** The sums of a node are those over its members, counted anew here; what is accounted for is those that move. */
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
        var cpu = new long[7];
        var memory = new long[7];
        for (var member : step.after().members()) {
            var amounts = member.amounts();
            var standing = member.standing();
            var over = amounts.overcommit();
            add(
                    cpu,
                    amounts.reserved().milliCpu(),
                    amounts.pressure().milliCpu(),
                    amounts.buffer().milliCpu(),
                    over.cpuMilli(),
                    standing.held(),
                    standing.migrating());
            add(
                    memory,
                    amounts.reserved().memoryBytes(),
                    amounts.pressure().memoryBytes(),
                    amounts.buffer().memoryBytes(),
                    over.memoryMilli(),
                    standing.held(),
                    standing.migrating());
        }
        var sums = step.after().sums();
        var told = new Resources[] {
            sums.reserved(),
            sums.committed(),
            sums.held(),
            sums.buffer(),
            sums.capacityPressure(),
            sums.accountedPressure(),
            sums.migrating()
        };
        for (int i = 0; i < told.length; i++) {
            if (told[i].milliCpu() != cpu[i] || told[i].memoryBytes() != memory[i]) {
                throw broken("sum " + i + " is told as " + told[i] + " and counts " + cpu[i] + "m, " + memory[i]
                        + " B after " + told(step));
            }
        }
    }

    private static void add(
            long[] sums, long reserved, long pressure, long buffer, long over, boolean held, boolean moves) {
        long charge = reserved * 1_000 / over;
        long pressed = pressure * 1_000 / over;
        sums[0] += charge;
        sums[1] += reserved;
        sums[2] += held ? charge : 0;
        sums[3] += buffer * 1_000 / over;
        sums[4] += pressed;
        sums[5] += moves ? charge + pressed : 0;
        sums[6] += moves ? charge : 0;
    }
}
