package io.sluice.simulation.model;

import io.sluice.ledger.clustered.LedgerProcesses;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;

/** The faults of the ledger's processes, in histories with several of them. */
final class LedgerFaults {
    private static final long TICK = Seconds.ofMillis(500);
    private static final long APART = Seconds.of(16);
    private static final long SHORT = Seconds.of(6);
    private static final long LONG = Seconds.of(25);

    private final World world;
    private final Chance chance;
    private final LedgerProcesses processes;

    LedgerFaults(World world, Chance chance) {
        this.world = world;
        this.chance = chance;
        processes = new LedgerProcesses(
                world.faults().chance("hazelcast"), world.time().now());
        tick();
        next();
    }

    LedgerProcesses processes() {
        return processes;
    }

    private void tick() {
        processes.tick(world.time().now());
        world.time().in(TICK, this::tick);
    }

    private void next() {
        world.time().in(SHORT + chance.below(APART), () -> {
            if (!world.faults().ceased()) {
                int kind = chance.below(5);
                int place = chance.below(LedgerProcesses.SIZE);
                int other = (place + 1 + chance.below(LedgerProcesses.SIZE - 1)) % LedgerProcesses.SIZE;
                long lasts = SHORT + chance.below(LONG);
                switch (kind) {
                    case 0 -> done("a ledger is cut off", () -> cut(place, lasts));
                    case 1 -> done("a ledger is frozen", () -> freeze(place, lasts));
                    case 2 -> done("a ledger restarts", () -> restart(place, lasts / 8));
                    case 3 ->
                        done("two ledgers restart", () -> {
                            restart(place, lasts / 8);
                            restart(other, lasts / 4);
                        });
                    default -> done("a ledger comes back in place of another", () -> swap(place, other, lasts));
                }
                next();
            }
        });
    }

    private void done(String name, Runnable fault) {
        if (world.faults().happens(chance, chance.drawn(), name)) {
            world.report("LEDGERS: " + name);
            fault.run();
        }
    }

    private void cut(int place, long lasts) {
        processes.cut(place);
        world.time().in(lasts, processes::heal);
    }

    private void freeze(int place, long lasts) {
        processes.freeze(place);
        world.time().in(lasts, () -> processes.resume(place));
    }

    private void restart(int place, long after) {
        processes.kill(place);
        world.time().in(after, () -> processes.start(place, world.time().now()));
    }

    /**
     * One process is cut off while the others go on. Then one of those ends, and the first is reconnected before that
     * one is back.
     */
    private void swap(int place, int other, long lasts) {
        cut(place, SHORT + lasts);
        world.time().in(lasts, () -> restart(other, 2 * SHORT));
    }

    /** Ends all faults. */
    void quiet() {
        processes.heal();
        for (int place = 0; place < LedgerProcesses.SIZE; place++) {
            processes.resume(place);
            processes.start(place, world.time().now());
        }
    }
}
