package io.sluice.billing.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageEventsTest {
    private static final Instant START = Instant.parse("2025-03-04T05:05:43.889001234Z");
    private static final Instant NOW = Instant.parse("2025-03-04T05:06:07.890123999Z");
    private static final UsageEvents NUMBERED =
            new UsageEvents(UsageMetricNames.DEFAULTS, new EventKeys.Numbered("agent-x"));
    private static final UsageEvents EXACT = new UsageEvents(UsageMetricNames.DEFAULTS, new EventKeys.Exact());

    @Test
    void makesTwoEventsOfEachChargeOneAfterTheOther() {
        var events = NUMBERED.of(List.of(charge("u1", "ep-1"), charge("u2", "")), NOW);

        assertThat(events)
                .containsExactly(
                        event("2025-03-04T05:06:07.890123Z-agent-x-1/4", "effective_compute_seconds", "ep-1", 12),
                        event("2025-03-04T05:06:07.890123Z-agent-x-2/4", "active_time_seconds", "ep-1", 24),
                        event("2025-03-04T05:06:07.890123Z-agent-x-3/4", "effective_compute_seconds", "", 12),
                        event("2025-03-04T05:06:07.890123Z-agent-x-4/4", "active_time_seconds", "", 24));
        assertThat(NUMBERED.of(List.of(), NOW)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2025-03-04T05:06:07.890123999Z, 2025-03-04T05:06:07.890123Z",
        "2025-03-04T05:06:07.890100999Z, 2025-03-04T05:06:07.8901Z",
        "2025-03-04T05:06:07.000000999Z, 2025-03-04T05:06:07Z",
        "2025-03-04T05:06:07.5Z, 2025-03-04T05:06:07.5Z"
    })
    void numberedKeysCutTheTimeOffAtMicroseconds(Instant now, String expected) {
        var events = NUMBERED.of(List.of(charge("u1", "ep-1")), now);

        assertThat(events.getFirst().idempotencyKey()).isEqualTo(expected + "-agent-x-1/2");
    }

    @Test
    void exactKeysAreTheSameWhicheverProcessesBillAndWhenever() {
        var alone = EXACT.of(List.of(charge("u1", "ep-1")), NOW);
        var later = EXACT.of(List.of(charge("u2", "ep-2"), charge("u1", "ep-1")), NOW.plusSeconds(60));

        assertThat(alone.getFirst().idempotencyKey())
                .isEqualTo("2025-03-04T05:05:43.889001234Z/u1/effective_compute_seconds/ep-1");
        assertThat(later.subList(2, 4)).isEqualTo(alone);
    }

    @Test
    void exactKeysOfDifferentUseDiffer() {
        var odd = List.of("", "a", "/", "a/b", "a%2Fb", "+", " ", "-", "ä", "a/b/");
        var keys = new HashSet<String>();
        for (var uid : odd) {
            for (var endpoint : odd) {
                EXACT.of(List.of(charge(uid, endpoint)), NOW).forEach(event -> keys.add(event.idempotencyKey()));
            }
        }

        assertThat(keys).hasSize(2 * odd.size() * odd.size());
        assertThat(keys).allMatch(key -> key.matches("[!-~]+"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ep-1", "", "a/b c+d%\"", "数据库 🐘\n"})
    void anExactKeyShowsWhatItStandsFor(String endpoint) {
        var event = EXACT.of(List.of(charge("uid/1", endpoint)), NOW).getLast();

        assertThat(ExactKey.parse(event.idempotencyKey()))
                .contains(new ExactKey(START, "uid/1", "active_time_seconds", endpoint));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2025-03-04T05:06:07.890123Z-agent-x-1/4",
                "a/b/c/d",
                "2025-03-04T05:06:07Z/%zz/m/e",
                "2025-03-04T07:06:07+02:00/u/m/e",
                "2025-03-04T05:06:07Z/u/m/e/f"
            })
    void aKeyOfAnotherFormIsNone(String key) {
        assertThat(ExactKey.parse(key)).isEmpty();
    }

    @Test
    void refusesWhatWouldMakeEventsAlike() {
        assertThatThrownBy(() -> new EventKeys.Numbered("")).hasMessageContaining("host");
        assertThatThrownBy(() -> new UsageMetricNames("", "active")).hasMessageContaining("no name");
        assertThatThrownBy(() -> new UsageMetricNames("same", "same")).hasMessageContaining("same");
    }

    private static UsageEvent event(String key, String metric, String endpoint, long value) {
        return new UsageEvent(key, metric, endpoint, START, NOW, value);
    }

    private static UsageRecord charge(String uid, String endpoint) {
        var key = new MeterKey(new VmId("neonvm", "ns", "vm", uid), endpoint);
        return new UsageRecord(key, START, NOW, BigInteger.valueOf(12_000_000_000_000L), 24_000_000_000L, 12, 24);
    }
}
