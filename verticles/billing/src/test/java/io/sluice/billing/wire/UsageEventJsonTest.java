package io.sluice.billing.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageEventJsonTest {
    private static final UsageEvent EVENT = new UsageEvent(
            "2025-03-04T05:06:07.890123Z-autoscaler-agent-x1y2z-1/4",
            "effective_compute_seconds",
            "ep-demo-1",
            Instant.parse("2025-03-04T05:05:43.889001234Z"),
            Instant.parse("2025-03-04T05:06:07.890123456Z"),
            12);
    private static final String LINE =
            "{\"idempotency_key\":\"2025-03-04T05:06:07.890123Z-autoscaler-agent-x1y2z-1/4\","
                + "\"metric\":\"effective_compute_seconds\",\"type\":\"incremental\",\"endpoint_id\":\"ep-demo-1\","
                + "\"start_time\":\"2025-03-04T05:05:43.889001234Z\",\"stop_time\":\"2025-03-04T05:06:07.890123456Z\","
                + "\"value\":12}";

    @Test
    void writesTheSevenFieldsInTheirOrder() {
        assertThat(text(EVENT)).isEqualTo(LINE);
    }

    @Test
    void readsWhatItWrote() throws UnreadableEventException {
        assertThat(UsageEventJson.read(LINE)).isEqualTo(EVENT);
    }

    @ParameterizedTest
    @CsvSource({
        "2025-03-04T05:06:07.890123456Z, 2025-03-04T05:06:07.890123456Z",
        "2025-03-04T05:06:07.890123450Z, 2025-03-04T05:06:07.89012345Z",
        "2025-03-04T05:06:07.500Z, 2025-03-04T05:06:07.5Z",
        "2025-03-04T05:06:07.000000001Z, 2025-03-04T05:06:07.000000001Z",
        "2025-03-04T05:06:07Z, 2025-03-04T05:06:07Z",
        "2025-03-04T05:06:00Z, 2025-03-04T05:06:00Z",
        "2025-03-04T00:00:00Z, 2025-03-04T00:00:00Z"
    })
    void timesHaveAsManyDigitsAsTheyNeed(Instant time, String expected) {
        var event = new UsageEvent("key", "metric", "ep", time, time, 0);

        assertThat(text(event))
                .contains("\"start_time\":\"" + expected + "\",\"stop_time\":\"" + expected + "\",\"value\":0}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "ep \"quoted\" \\ and / on",
                "{\"value\":1}",
                "two\nlines\r\nand\ttabs",
                "line\u2028and paragraph\u2029and \u0085",
                "Ünïcødé 数据库 🐘",
                "\u0000\u001f\u007f",
                "<&>'"
            })
    void anEndpointMayBeCalledAnything(String endpoint) throws UnreadableEventException {
        var start = EVENT.startTime();
        var event = new UsageEvent("k-" + endpoint, "metric", endpoint, start, start, Long.MAX_VALUE);

        var line = text(event);

        assertThat(line.chars()).as("one line of ASCII").allMatch(character -> character >= ' ' && character < 128);
        assertThat(UsageEventJson.read(line)).isEqualTo(event);
    }

    @Test
    void readsTimesOfOtherZonesAndSkipsUnknownFields() throws UnreadableEventException {
        var other = LINE.replace("2025-03-04T05:06:07.890123456Z", "2025-03-04T07:06:07.890123456+02:00")
                .replace("{\"idem", "{\"new\":{\"x\":[1]},\"idem");

        assertThat(UsageEventJson.read(other)).isEqualTo(EVENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "idempotency_key | 7 | idempotency_key should be a text, not 7",
                "metric | null | metric should be a text, not null",
                "type | \"absolute\" | type should be \"incremental\", not \"absolute\"",
                "endpoint_id | [] | endpoint_id should be a text, not []",
                "start_time | \"noon\" | start_time should be a time like 2025-03-04T05:06:07.89Z, not \"noon\"",
                "stop_time | \"2025-03-04T05:06:07\" | stop_time should be a time like 2025-03-04T05:06:07.89Z, not"
                        + " \"2025-03-04T05:06:07\"",
                "value | 12.5 | value should be a whole number of at least 0, not 12.5",
                "value | -1 | value should be a whole number of at least 0, not -1",
                "value | 9223372036854775808 | value should be a whole number of at least 0, not 9223372036854775808",
                "value | \"12\" | value should be a whole number of at least 0, not \"12\""
            })
    void namesTheFieldThatIsNoGood(String field, String value, String message) {
        var broken = LINE.replaceFirst("(\"" + field + "\":)(\"[^\"]*\"|\\d+)", "$1" + value);

        assertThatThrownBy(() -> UsageEventJson.read(broken))
                .isInstanceOf(UnreadableEventException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"idempotency_key", "metric", "type", "endpoint_id", "start_time", "stop_time", "value"})
    void namesTheFieldThatIsMissing(String field) {
        assertThatThrownBy(() -> UsageEventJson.read(LINE.replace("\"" + field + "\"", "\"other\"")))
                .isInstanceOf(UnreadableEventException.class)
                .hasMessageContainingAll(field + " should be", "and is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "12", "{", "{\"value\":1,\"value\":2}", "torn\":12}"})
    void reportsWhenALineIsNoObject(String line) {
        assertThatThrownBy(() -> UsageEventJson.read(line))
                .isInstanceOf(UnreadableEventException.class)
                .hasMessageStartingWith("the line should be");
        assertThatThrownBy(() -> UsageEventJson.read(LINE + LINE)).hasMessageStartingWith("the line should be");
    }

    private static String text(UsageEvent event) {
        return new String(UsageEventJson.write(event), StandardCharsets.UTF_8);
    }
}
