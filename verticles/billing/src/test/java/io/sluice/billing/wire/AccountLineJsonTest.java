package io.sluice.billing.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.units.VmId;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccountLineJsonTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:24Z");
    private static final Instant STOP = Instant.parse("2026-03-01T00:00:48.000000001Z");
    private static final BigInteger USED = new BigInteger("24000000000000");
    private static final MeterKey KEY = key("neonvm", "default", "db", "uid-1", "ep-1");
    private static final UsageRecord CHARGE = new UsageRecord(KEY, START, STOP, USED, 24_000_000_001L, 24, 24);
    private static final AccountLine.Part PART =
            new AccountLine.Part("default/db", "neonvm", "uid-1", "ep-1", START, STOP);

    private static final String SUBJECT =
            "{\"vm\":\"default/db\",\"driver\":\"neonvm\",\"uid\":\"uid-1\",\"endpoint_id\":\"ep-1\","
                    + "\"start_time\":\"2026-03-01T00:00:24Z\",\"stop_time\":\"2026-03-01T00:00:48.000000001Z\",";
    private static final String BILLED =
            SUBJECT + "\"billed_milli_cpu_ns\":\"24000000000000\",\"held_milli_cpu_ns\":\"25000000000000\"}";
    private static final String UNBILLED = SUBJECT + "\"unbilled\":\"watch\",\"milli_cpu\":4000}";

    private static MeterKey key(String driver, String namespace, String name, String uid, String endpoint) {
        return new MeterKey(new VmId(driver, namespace, name, uid), endpoint);
    }

    @Test
    void showsWhatIsBilledAndWhatWasHeld() throws UnreadableEventException {
        var held = Optional.of(new BigInteger("25000000000000"));

        assertThat(text(AccountLineJson.billed(CHARGE, held))).isEqualTo(BILLED);
        assertThat(AccountLineJson.read(BILLED)).isEqualTo(new AccountLine.Billed(PART, USED, held));
    }

    @Test
    void showsNothingOfWhatWasHeldWhereItWasNotRequested() throws UnreadableEventException {
        var line = SUBJECT + "\"billed_milli_cpu_ns\":\"24000000000000\"}";

        assertThat(text(AccountLineJson.billed(CHARGE, Optional.empty()))).isEqualTo(line);
        assertThat(AccountLineJson.read(line)).isEqualTo(new AccountLine.Billed(PART, USED, Optional.empty()));
    }

    @Test
    void showsWhatIsNotBilledAndWhy() throws UnreadableEventException {
        var gap = new Gap(KEY, START, STOP, 4_000, Gap.Cause.WATCH);

        assertThat(text(AccountLineJson.unbilled(gap))).isEqualTo(UNBILLED);
        assertThat(AccountLineJson.read(UNBILLED)).isEqualTo(new AccountLine.Unbilled(PART, "watch", 4_000));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 20260301})
    void readsAnythingThatItWrites(long seed) throws UnreadableEventException {
        var random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            var key = key(anyText(random), anyText(random), anyText(random), anyText(random), anyText(random));
            var start = Instant.ofEpochSecond(random.nextLong(4_000_000_000L), random.nextLong(1_000_000_000));
            var stop = start.plusNanos(random.nextLong(Long.MAX_VALUE));
            var vm = key.vm().label();
            var part = new AccountLine.Part(vm, key.vm().driver(), key.vm().uid(), key.endpoint(), start, stop);
            if (random.nextBoolean()) {
                var used = new BigInteger(random.nextInt(180), random);
                var held = Optional.of(new BigInteger(random.nextInt(180), random))
                        .filter(requested -> random.nextBoolean());
                var charge = new UsageRecord(key, start, stop, used, 0, 0, 0);
                assertReads(seed, i, AccountLineJson.billed(charge, held), new AccountLine.Billed(part, used, held));
            } else {
                var causes = Gap.Cause.values();
                var cause = causes[random.nextInt(causes.length)];
                boolean isLate = cause == Gap.Cause.LATE;
                long size = isLate ? random.nextLong() : random.nextLong(Long.MAX_VALUE);
                var word = cause.name().toLowerCase(Locale.ROOT);
                assertReads(
                        seed,
                        i,
                        AccountLineJson.unbilled(new Gap(key, start, stop, size, cause)),
                        isLate ? new AccountLine.Late(part, size) : new AccountLine.Unbilled(part, word, size));
            }
        }
    }

    private static void assertReads(long seed, int step, byte[] line, AccountLine expected)
            throws UnreadableEventException {
        var text = text(line);
        assertThat(AccountLineJson.read(text)).as("seed %d step %d", seed, step).isEqualTo(expected);
        assertThat(text.chars())
                .as("seed %d step %d: one line of ASCII", seed, step)
                .allMatch(character -> character >= ' ' && character < 128);
    }

    /** Characters of all planes, with quotes and line breaks more often than at random; no unpaired surrogates. */
    private static String anyText(Random random) {
        var text = new StringBuilder("n");
        for (int length = random.nextInt(12); length > 0; length--) {
            switch (random.nextInt(4)) {
                case 0 -> text.append("\"\\/\n\r\t\u2028{}".charAt(random.nextInt(9)));
                case 1 -> text.appendCodePoint(0x10000 + random.nextInt(0x100000));
                case 2 -> text.append((char) (0xa0 + random.nextInt(0xd700)));
                default -> text.append((char) random.nextInt(128));
            }
        }
        return text.toString();
    }

    @Test
    void refusesALateLineWithoutAWholeNumber() {
        var late = UNBILLED.replace("\"unbilled\":\"watch\",\"milli_cpu\":4000", "\"late_milli_cpu\":0.5");

        assertThatThrownBy(() -> AccountLineJson.read(late)).hasMessageContaining("a whole number");
    }

    @Test
    void skipsUnknownFieldsAndReadsTimesOfOtherZones() throws UnreadableEventException {
        var later = UNBILLED.replace("2026-03-01T00:00:24Z", "2026-03-01T02:00:24+02:00")
                .replace("\"watch\"", "\"eclipse\"")
                .replace("{\"vm\"", "{\"node\":[\"n\"],\"vm\"");

        assertThat(AccountLineJson.read(later)).isEqualTo(new AccountLine.Unbilled(PART, "eclipse", 4_000));
    }

    @Test
    void readsLinesOfAnOlderVersionWithoutADriver() throws UnreadableEventException {
        var older = new AccountLine.Part("default/db", "", "uid-1", "ep-1", START, STOP);

        assertThat(AccountLineJson.read(UNBILLED.replace("\"driver\":\"neonvm\",", "")))
                .isEqualTo(new AccountLine.Unbilled(older, "watch", 4_000));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "vm | 7 | vm should be a text, not 7",
                "driver | null | driver should be a text, not null",
                "uid | null | uid should be a text, not null",
                "endpoint_id | {} | endpoint_id should be a text, not {}",
                "start_time | \"noon\" | start_time should be a time like 2025-03-04T05:06:07.89Z, not \"noon\"",
                "stop_time | 48 | stop_time should be a text, not 48",
                "stop_time | \"2026-03-01T00:00:23Z\" | stop_time should be no earlier than start_time, not"
                        + " \"2026-03-01T00:00:23Z\"",
                "billed_milli_cpu_ns | 24 | billed_milli_cpu_ns should be a text, not 24",
                "billed_milli_cpu_ns | \"-1\" | billed_milli_cpu_ns should be a text with a whole number of at least"
                        + " 0, not \"-1\"",
                "held_milli_cpu_ns | \"\" | held_milli_cpu_ns should be a text with a whole number of at least 0, not"
                        + " \"\"",
                "held_milli_cpu_ns | \"2.5\" | held_milli_cpu_ns should be a text with a whole number of at least 0,"
                        + " not \"2.5\"",
                "held_milli_cpu_ns | null | held_milli_cpu_ns should be a text, not null"
            })
    void namesTheFieldOfABilledLineThatIsNoGood(String field, String value, String message) {
        assertRefused(BILLED, field, value, message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "unbilled | true | unbilled should be a text, not true",
                "milli_cpu | -1 | milli_cpu should be a whole number of at least 0, not -1",
                "milli_cpu | 0.5 | milli_cpu should be a whole number of at least 0, not 0.5",
                "milli_cpu | \"4000\" | milli_cpu should be a whole number of at least 0, not \"4000\""
            })
    void namesTheFieldOfAnUnbilledLineThatIsNoGood(String field, String value, String message) {
        assertRefused(UNBILLED, field, value, message);
    }

    private static void assertRefused(String line, String field, String value, String message) {
        var broken = line.replaceFirst("(\"" + field + "\":)(\"[^\"]*\"|\\d+)", "$1" + value);

        assertThatThrownBy(() -> AccountLineJson.read(broken))
                .isInstanceOf(UnreadableEventException.class)
                .hasMessage(message);
    }

    @Test
    void anImpossibleAmountIsRefused() {
        assertRefused(
                BILLED,
                "billed_milli_cpu_ns",
                "\"" + "9".repeat(100) + "\"",
                "billed_milli_cpu_ns should be a text with a whole number of at least 0, not \"" + "9".repeat(100)
                        + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"vm", "uid", "endpoint_id", "start_time", "stop_time", "billed_milli_cpu_ns"})
    void namesTheFieldThatIsMissing(String field) {
        assertThatThrownBy(() -> AccountLineJson.read(BILLED.replace("\"" + field + "\"", "\"other\"")))
                .isInstanceOf(UnreadableEventException.class)
                .hasMessage(field + " should be a text and is missing");
    }

    @Test
    void aLineOfWhatIsNotBilledShowsHowMuchTheVmHad() {
        assertThatThrownBy(() -> AccountLineJson.read(SUBJECT + "\"unbilled\":\"watch\"}"))
                .hasMessage("milli_cpu should be a whole number of at least 0 and is missing");
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.UTF_8);
    }
}
