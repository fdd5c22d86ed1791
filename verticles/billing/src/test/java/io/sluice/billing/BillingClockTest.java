package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the billing clock under fault F8: whatever the wall clock does, windows follow each other without a gap. */
@DisplayName("F8: windows of billing stay gapless whatever the wall clock does")
class BillingClockTest {
    private static final Instant BILL = Instant.parse("2026-03-01T12:00:00Z");
    private static final long NANOS = 5_000_000_000_000L;
    private static final String BOOT = "boot-1";
    private static final String NO_NAME = "";

    /**
     * The process's own clock, which continues from the wall clock of its start, whatever the wall clock does
     * afterwards.
     */
    private Instant process = BILL;

    private BillingClock start(BillingClock.Machine machine, Optional<BillingClock.Reading> before) {
        process = machine.wall();
        return new BillingClock(() -> process, machine, before);
    }

    private static long nanos(String duration) {
        return Duration.parse(duration).toNanos();
    }

    /**
     * A process leaves the clock at noon. The durations are the time until the next process starts, by the monotonic
     * clock and by the wall clock, and the expected progress of the billing clock.
     */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "the wall clock did not jump,                                boot-1, PT3S,   PT3S,    PT3S",
        "an hour forward,                                            boot-1, PT3S,   PT1H3S,  PT3S",
        "an hour back,                                               boot-1, PT3S,   PT-59M,  PT3S",
        "ten years back,                                             boot-1, PT3S,   PT-87600H, PT3S",
        "a nanosecond forward,                                       boot-1, PT0.000000001S, PT0S, PT0.000000001S",
        "no time went by and the wall clock jumped,                  boot-1, PT0S,   PT1H,    PT0S",
        "the process was away for a week,                            boot-1, PT168H, PT168H,  PT168H",
        "the process was away for a week and the wall clock jumped,  boot-1, PT168H, PT1H,    PT168H",
        "the machine was started again,                              boot-2, PT-1H,  PT5M,    PT5M",
        "started again and counts from higher up,                    boot-2, PT2H,   PT5M,    PT5M",
        "started again with the wall clock an hour ahead,            boot-2, PT-1H,  PT1H5M,  PT1H5M",
        "started again with the wall clock an hour back,             boot-2, PT-1H,  PT-55M,  PT0S",
        "the same run but its clock is behind,                         boot-1, PT-1S,  PT5M,    PT5M",
        "its clock is behind and the wall clock too,                 boot-1, PT-1S,  PT-1H,   PT0S",
        "the run has no name any more,                               '',     PT3S,   PT5M,    PT5M",
        "no name and the wall clock an hour back,                    '',     PT3S,   PT-1H,   PT0S"
    })
    void goesOnWhereTheProcessBeforeLeftIt(String story, String boot, String monotonic, String wall, String expected) {
        var machine = new BillingClock.Machine(BILL.plusNanos(nanos(wall)), NANOS + nanos(monotonic), boot);
        var clock = start(machine, Optional.of(new BillingClock.Reading(BILL, NANOS, BOOT)));

        assertThat(clock.instant()).isEqualTo(BILL.plusNanos(nanos(expected)));
        assertThat(clock.ahead()).isEqualTo(Duration.between(machine.wall(), clock.instant()));
    }

    @Test
    void twoRunsWithoutANameAreNotTheSame() {
        var machine = new BillingClock.Machine(BILL.plusSeconds(60), NANOS + 1, NO_NAME);
        var clock = start(machine, Optional.of(new BillingClock.Reading(BILL, NANOS, NO_NAME)));

        assertThat(clock.instant()).isEqualTo(BILL.plusSeconds(60));
    }

    @Test
    void theFirstProcessStartsAtTheWallClocksTime() {
        var clock = start(new BillingClock.Machine(BILL, NANOS, BOOT), Optional.empty());
        assertThat(clock.instant()).isEqualTo(BILL);
        assertThat(clock.ahead()).isZero();

        process = BILL.plusNanos(1);
        assertThat(clock.instant()).isEqualTo(BILL.plusNanos(1));
    }

    @Test
    void continuesFromTheClockOfTheLastLeaderUnlessItIsPastIt() {
        var clock = start(new BillingClock.Machine(BILL, NANOS, BOOT), Optional.empty());
        assertThat(clock.advance(BILL.minusSeconds(1))).isZero();
        assertThat(clock.instant()).isEqualTo(BILL);

        assertThat(clock.advance(BILL.plusSeconds(40))).isEqualTo(Duration.ofSeconds(40));
        assertThat(clock.instant()).isEqualTo(BILL.plusSeconds(40));
        process = process.plusSeconds(1);
        assertThat(clock.instant()).isEqualTo(BILL.plusSeconds(41));
    }

    @Test
    void goesOnByTheProcessesClockHoweverFarItIsAhead() {
        var machine = new BillingClock.Machine(BILL.minus(Duration.ofHours(1)), NANOS + 1_000_000_000, BOOT);
        var clock = start(machine, Optional.of(new BillingClock.Reading(BILL, NANOS, BOOT)));
        assertThat(clock.ahead()).isEqualTo(Duration.ofHours(1).plusSeconds(1));

        process = process.plusSeconds(30);
        assertThat(clock.instant()).isEqualTo(BILL.plusSeconds(31));
    }

    /**
     * A random history of processes, restarts of the machine, and a wall clock that is set by up to an hour. The
     * billing clock never goes back, and counts every nanosecond for which the machine keeps running.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20260301})
    void neverGoesBackUnderAnyHistory(long seed) {
        var random = new Random(seed);
        var status = Optional.<BillingClock.Reading>empty();
        var wall = BILL;
        long nanos = NANOS;
        int boots = 1;
        for (int i = 0; i < 5_000; i++) {
            boolean again = random.nextInt(10) == 0;
            long away = random.nextLong(nanos("PT10M"));
            wall = wall.plusNanos(away);
            nanos = again ? random.nextLong(nanos("PT1H")) : nanos + away;
            boots += again ? 1 : 0;
            if (random.nextInt(5) == 0) {
                wall = wall.plusNanos(random.nextLong(-nanos("PT1H"), nanos("PT1H")));
            }

            var clock = start(new BillingClock.Machine(wall, nanos, "boot-" + boots), status);

            var begun = clock.instant();
            if (status.isPresent()) {
                var before = status.get().bill();
                assertThat(begun).as("seed %d step %d", seed, i).isAfterOrEqualTo(before);
                if (!again) {
                    assertThat(begun).as("seed %d step %d", seed, i).isEqualTo(before.plusNanos(away));
                } else if (wall.isAfter(before)) {
                    assertThat(begun).as("seed %d step %d", seed, i).isEqualTo(wall);
                }
            }
            long runs = random.nextLong(nanos("PT10M"));
            process = process.plusNanos(runs);
            nanos += runs;
            wall = wall.plusNanos(runs);
            status = Optional.of(new BillingClock.Reading(clock.instant(), nanos, "boot-" + boots));
            assertThat(clock.instant()).as("seed %d step %d", seed, i).isEqualTo(begun.plusNanos(runs));
        }
    }
}
