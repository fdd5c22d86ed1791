package io.sluice.billing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/**
 * The clock by which use is billed. It never goes back, not even from one process to the next, and no jump of the wall
 * clock moves it. While the machine runs, it follows the machine's monotonic clock, also across restarts of this
 * program. After a restart of the machine it continues at the wall clock's time, unless it was already past it.
 */
public final class BillingClock implements InstantSource {
    private final InstantSource clock;
    private volatile Duration ahead;

    /**
     * A reading of the clock, which one process stores for the next.
     *
     * @param bill the time of this clock
     * @param machineNanos the machine's monotonic clock at that instant
     * @param boot the id of the machine's boot; empty where the machine has none
     */
    public record Reading(Instant bill, long machineNanos, String boot) {
        public Reading {
            Objects.requireNonNull(bill, "bill");
            Objects.requireNonNull(boot, "boot");
        }
    }

    /** The machine's clocks at the start, all read at one instant. */
    public record Machine(Instant wall, long nanos, String boot) {}

    /**
     * Creates a clock that continues from the reading of an earlier process.
     *
     * @param clock the clock of the process, which was at {@code machine.wall()} when the machine was read
     * @param before the last reading of an earlier process; empty if there is none
     */
    public BillingClock(InstantSource clock, Machine machine, Optional<Reading> before) {
        this.clock = clock;
        this.ahead = before.map(status -> Duration.between(machine.wall(), now(machine, status)))
                .orElse(Duration.ZERO);
    }

    private static Instant now(Machine machine, Reading before) {
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

    /**
     * Sets this clock to a time that another process's clock of bills has reached, unless it is past it. Returns by how
     * much.
     */
    Duration advance(Instant least) {
        var behind = Duration.between(instant(), least);
        if (behind.isNegative()) {
            return Duration.ZERO;
        }
        ahead = ahead.plus(behind);
        return behind;
    }

    /** How far this clock is ahead of the process's clock; negative where it is behind. */
    public Duration ahead() {
        return ahead;
    }
}
