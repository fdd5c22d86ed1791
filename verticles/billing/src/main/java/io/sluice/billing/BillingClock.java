package io.sluice.billing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/**
 * The time that bills go by. It never goes back, not even from one process to the next, and no jump of the wall clock
 * moves it: as long as the machine runs it goes on by the machine's monotonic clock, across restarts of this program;
 * after a restart of the machine it goes on at the wall clock's time, unless it was there already.
 */
public final class BillingClock implements InstantSource {
    private final InstantSource clock;
    private final Duration ahead;

    /**
     * Where the clock stood, as one process leaves it to the next.
     *
     * @param bill its time
     * @param machineNanos the machine's monotonic clock at that instant
     * @param boot names the machine's run; empty where it has no name
     */
    public record Standing(Instant bill, long machineNanos, String boot) {
        public Standing {
            Objects.requireNonNull(bill, "bill");
            Objects.requireNonNull(boot, "boot");
        }
    }

    /** What is read of the machine at the start, all at one instant. */
    public record Machine(Instant wall, long nanos, String boot) {}

    /**
     * One that goes on.
     *
     * @param clock the process's, which stood at {@code machine.wall()} when the machine was read
     * @param before how a process before this one left it
     */
    public BillingClock(InstantSource clock, Machine machine, Optional<Standing> before) {
        this.clock = clock;
        this.ahead = before.map(standing -> Duration.between(machine.wall(), now(machine, standing)))
                .orElse(Duration.ZERO);
    }

    private static Instant now(Machine machine, Standing before) {
        boolean same = !before.boot().isEmpty()
                && before.boot().equals(machine.boot())
                && machine.nanos() >= before.machineNanos();
        if (same) {
            return before.bill().plusNanos(machine.nanos() - before.machineNanos());
        }
        return machine.wall().isBefore(before.bill()) ? before.bill() : machine.wall();
    }

    @Override
    public Instant instant() {
        return clock.instant().plus(ahead);
    }

    /** How far it is ahead of the wall clock that the process started with; negative where it is behind. */
    public Duration ahead() {
        return ahead;
    }
}
