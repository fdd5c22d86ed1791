package io.sluice.billing.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.billing.VmBill;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UsageHoursTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final long HOUR_SECONDS = 3_600;

    private final UsageHours hours = new UsageHours(NOON, 3);

    @Test
    void addsUpTheRecordsOfAnHourWhateverTheirEndpoint() {
        hours.billed(record("db", "ep-1", at(0), at(24), 48, 24));
        hours.billed(record("db", "ep-2", at(24), at(48), 12, 24));

        assertThat(hours.of("ns/db", at(60)))
                .isEqualTo(new VmBill.Billed(NOON, List.of(new VmBill.Hour(at(0).getEpochSecond(), 60, 48, 0, 0))));
    }

    @Test
    void dividesARecordAmongItsHoursByTime() {
        hours.billed(record("db", "ep", at(HOUR_SECONDS - 6), at(HOUR_SECONDS + 18), 50, 24));

        assertThat(of("db", at(HOUR_SECONDS + 30)))
                .containsExactly(
                        new VmBill.Hour(at(0).getEpochSecond(), 12, 6, 0, 0),
                        new VmBill.Hour(at(HOUR_SECONDS).getEpochSecond(), 38, 18, 0, 0));
    }

    @Test
    void dividesARecordOfLessThanAMillisecond() {
        var start = at(HOUR_SECONDS).minusNanos(400_000);
        hours.billed(record("db", "ep", start, start.plusNanos(800_000), 3, 1));

        assertThat(of("db", at(HOUR_SECONDS)).stream()
                        .mapToLong(VmBill.Hour::computeSeconds)
                        .sum())
                .isEqualTo(3);
    }

    @Test
    void keepsGapsByTheirCause() {
        hours.missed(gap("db", at(-10), at(5), Gap.Cause.RESTART));
        hours.missed(gap("db", at(100), at(107), Gap.Cause.WATCH));

        assertThat(of("db", at(200)))
                .containsExactly(
                        new VmBill.Hour(at(-HOUR_SECONDS).getEpochSecond(), 0, 0, 10_000, 0),
                        new VmBill.Hour(at(0).getEpochSecond(), 0, 0, 5_000, 7_000));
    }

    @Test
    void aGapOfDaysFillsTheHoursThatAreKept() {
        hours.missed(gap("db", NOON.minus(Duration.ofDays(90)), NOON.plusSeconds(60), Gap.Cause.WATCH));

        var kept = of("db", at(60));
        assertThat(kept).hasSize(UsageHours.HOURS);
        assertThat(kept.subList(0, 23)).allMatch(hour -> Math.abs(hour.watchMs() - 3_600_000) <= 1);
        assertThat(kept.getLast().watchMs()).isBetween(59_999L, 60_001L);
    }

    @Test
    void forgetsAnHourADayLater() {
        hours.billed(record("db", "ep", at(0), at(24), 24, 24));

        assertThat(of("db", at(23 * HOUR_SECONDS + 59))).hasSize(1);
        assertThat(of("db", at(24 * HOUR_SECONDS))).isEmpty();

        hours.billed(record("db", "ep", at(24 * HOUR_SECONDS), at(24 * HOUR_SECONDS + 24), 5, 24));
        assertThat(of("db", at(24 * HOUR_SECONDS + 60)))
                .containsExactly(new VmBill.Hour(at(24 * HOUR_SECONDS).getEpochSecond(), 5, 24, 0, 0));
    }

    @Test
    void keepsADeletedVmForADayAndThenDropsIt() {
        hours.billed(record("gone", "ep", at(0), at(24), 24, 24));
        hours.billed(record("db", "ep", at(20 * HOUR_SECONDS), at(20 * HOUR_SECONDS + 24), 24, 24));
        assertThat(of("gone", at(20 * HOUR_SECONDS + 60))).hasSize(1);

        hours.billed(record("new", "ep", at(24 * HOUR_SECONDS), at(24 * HOUR_SECONDS + 24), 24, 24));

        assertThat(hours.size()).isEqualTo(2);
        assertThat(hours.of("ns/gone", at(24 * HOUR_SECONDS + 60))).isEqualTo(new VmBill.Billed(NOON, List.of()));
    }

    @Test
    void dropsTheVmWithoutUseForTheLongestTimeWhenItIsFull() {
        hours.billed(record("idle", "ep", at(0), at(24), 24, 24));
        hours.billed(record("a", "ep", at(0), at(24), 24, 24));
        hours.billed(record("b", "ep", at(HOUR_SECONDS), at(HOUR_SECONDS + 24), 24, 24));
        hours.billed(record("a", "ep", at(HOUR_SECONDS), at(HOUR_SECONDS + 24), 24, 24));

        hours.billed(record("new", "ep", at(HOUR_SECONDS + 24), at(HOUR_SECONDS + 48), 24, 24));

        assertThat(hours.size()).isEqualTo(3);
        assertThat(hours.of("ns/idle", at(HOUR_SECONDS + 60))).isEqualTo(new VmBill.Unknown(3));
        assertThat(of("a", at(HOUR_SECONDS + 60))).hasSize(2);
    }

    @Test
    void repliesWithTheBeginOfAVmThatHadNoRoomBefore() {
        for (var name : List.of("a", "b", "c", "late")) {
            hours.billed(record(name, "ep", at(0), at(24), 24, 24));
        }
        assertThat(hours.of("ns/late", at(60))).isEqualTo(new VmBill.Unknown(3));

        hours.billed(record("late", "ep", at(HOUR_SECONDS), at(HOUR_SECONDS + 24), 24, 24));

        assertThat(hours.of("ns/late", at(HOUR_SECONDS + 60)))
                .isEqualTo(new VmBill.Billed(
                        at(HOUR_SECONDS),
                        List.of(new VmBill.Hour(at(HOUR_SECONDS).getEpochSecond(), 24, 24, 0, 0))));
    }

    @Test
    void aVmThatWasNotBilledHasNoHours() {
        assertThat(hours.of("ns/other", at(60))).isEqualTo(new VmBill.Billed(NOON, List.of()));
    }

    /** Whatever the lengths of records, the hours add up to what was billed. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void losesNothingOfADay(long seed) {
        var random = new Random(seed);
        var model = new TreeMap<Long, Long>();
        long compute = 0;
        long active = 0;
        var at = NOON;
        var end = NOON.plus(Duration.ofHours(UsageHours.HOURS));
        while (at.isBefore(end)) {
            var stop = at.plusMillis(random.nextInt(random.nextInt(10) == 0 ? 3 * 3_600_000 : 60_000));
            stop = stop.isBefore(end) ? stop : end.minusMillis(1);
            long used = random.nextInt(1_000);
            hours.billed(record("db", "ep", at, stop, used, used / 2));
            compute += used;
            active += used / 2;
            if (at.getEpochSecond() / HOUR_SECONDS == stop.getEpochSecond() / HOUR_SECONDS) {
                model.merge(at.getEpochSecond() / HOUR_SECONDS * HOUR_SECONDS, used, Long::sum);
            }
            at = stop.isAfter(at) ? stop.plusMillis(random.nextInt(2) == 0 ? 0 : 1_000) : stop.plusMillis(1);
        }

        var kept = of("db", end.minusMillis(1));
        assertThat(kept.stream().mapToLong(VmBill.Hour::computeSeconds).sum())
                .as("seed %d", seed)
                .isEqualTo(compute);
        assertThat(kept.stream().mapToLong(VmBill.Hour::activeSeconds).sum())
                .as("seed %d", seed)
                .isEqualTo(active);
        assertThat(kept)
                .as("seed %d", seed)
                .allSatisfy(hour -> assertThat(hour.computeSeconds())
                        .isGreaterThanOrEqualTo(model.getOrDefault(hour.startSeconds(), 0L)));
    }

    private List<VmBill.Hour> of(String name, Instant now) {
        return ((VmBill.Billed) hours.of("ns/" + name, now)).hours();
    }

    private static Instant at(long seconds) {
        return NOON.plusSeconds(seconds);
    }

    private static UsageRecord record(
            String name, String endpoint, Instant start, Instant stop, long compute, long active) {
        return new UsageRecord(key(name, endpoint), start, stop, BigInteger.ZERO, 0, compute, active);
    }

    private static Gap gap(String name, Instant from, Instant to, Gap.Cause cause) {
        return new Gap(key(name, "ep"), from, to, 1_000, cause);
    }

    private static MeterKey key(String name, String endpoint) {
        return new MeterKey(new VmId("neonvm", "ns", name, "uid-" + name), endpoint);
    }
}
