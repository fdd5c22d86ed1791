package io.sluice.monitor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MonitorWireTest {
    @Test
    void offersVersionOneAndNothingAboveIt() {
        assertThat(MonitorWire.range()).isEqualTo("{\"min\":1,\"max\":1}");
    }

    static Stream<Arguments> written() {
        return Stream.of(
                Arguments.of(
                        new AgentMessage.UpscaleNotification(4, new Resources(1250, 5_368_709_120L)),
                        "{\"content\":{\"granted\":{\"cpu\":1.25,\"mem\":5368709120}},"
                                + "\"type\":\"UpscaleNotification\",\"id\":4}"),
                Arguments.of(
                        new AgentMessage.DownscaleRequest(6, new Resources(250, 1L << 30)),
                        "{\"content\":{\"target\":{\"cpu\":0.25,\"mem\":1073741824}},"
                                + "\"type\":\"DownscaleRequest\",\"id\":6}"),
                Arguments.of(new AgentMessage.HealthCheck(8), "{\"content\":{},\"type\":\"HealthCheck\",\"id\":8}"),
                Arguments.of(
                        new AgentMessage.InvalidMessage(5, "no such type: Foo"),
                        "{\"content\":{\"error\":\"no such type: Foo\"},\"type\":\"InvalidMessage\",\"id\":5}"));
    }

    @ParameterizedTest
    @MethodSource("written")
    void nestsWhatTheAgentSends(AgentMessage message, String text) {
        assertThat(MonitorWire.text(message)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 8_000_000_000L, 1L << 53, Long.MAX_VALUE})
    void writesMemoryAsAPlainInteger(long bytes) {
        var text = MonitorWire.text(new AgentMessage.UpscaleNotification(2, new Resources(1000, bytes)));
        assertThat(text).contains("\"mem\":" + bytes + "}");
    }

    static Stream<Arguments> read() {
        return Stream.of(
                Arguments.of("{\"type\":\"UpscaleRequest\",\"id\":3}", new MonitorMessage.UpscaleRequest(3)),
                Arguments.of("{\"id\":4,\"type\":\"UpscaleConfirmation\"}", new MonitorMessage.UpscaleConfirmation(4)),
                Arguments.of(
                        "{\"type\":\"DownscaleResult\",\"Ok\":false,\"Status\":\"too low\",\"id\":6}",
                        new MonitorMessage.DownscaleResult(6, false, "too low")),
                Arguments.of(
                        "{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"\",\"id\":6,\"more\":[{}]}",
                        new MonitorMessage.DownscaleResult(6, true, "")),
                Arguments.of("{\"type\":\"HealthCheck\",\"id\":8.0}", new MonitorMessage.HealthCheck(8)),
                Arguments.of(
                        "{\"type\":\"InvalidMessage\",\"error\":\"what?\",\"id\":2}",
                        new MonitorMessage.InvalidMessage(2, "what?")),
                Arguments.of(
                        "{\"type\":\"InternalError\",\"error\":\"no\",\"id\":2}",
                        new MonitorMessage.InternalError(2, "no")),
                Arguments.of("{\"type\":\"healthcheck\",\"id\":2}", new MonitorMessage.UnknownType(2, "healthcheck")),
                Arguments.of(
                        "{\"type\":\"DownscaleRequest\",\"id\":2}",
                        new MonitorMessage.UnknownType(2, "DownscaleRequest")));
    }

    @ParameterizedTest
    @MethodSource("read")
    void readsTheFlatForm(String text, MonitorMessage message) {
        assertThat(MonitorWire.message(text)).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"DownscaleResult\",\"Status\":\"\",\"id\":6}",
                "{\"type\":\"DownscaleResult\",\"ok\":true,\"status\":\"\",\"id\":6}",
                "{\"type\":\"DownscaleResult\",\"Ok\":\"yes\",\"Status\":\"\",\"id\":6}",
                "{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":7,\"id\":6}",
                "{\"type\":\"InternalError\",\"id\":6}",
                "{\"type\":\"InvalidMessage\",\"error\":null,\"id\":6}"
            })
    void recognizesABodyThatIsNotOfItsType(String text) {
        assertThat(MonitorWire.message(text))
                .isInstanceOfSatisfying(
                        MonitorMessage.Malformed.class,
                        malformed -> assertThat(malformed.id()).isEqualTo(6));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "7",
                "{",
                "{\"type\":\"HealthCheck\"}",
                "{\"id\":2}",
                "{\"type\":null,\"id\":2}",
                "{\"type\":\"HealthCheck\",\"id\":\"2\"}",
                "{\"type\":\"HealthCheck\",\"id\":-2}",
                "{\"type\":\"HealthCheck\",\"id\":2.5}",
                "{\"type\":\"HealthCheck\",\"id\":1e300}",
                "{\"type\":\"HealthCheck\",\"id\":2} {}"
            })
    void recognizesWhatIsNoMessage(String text) {
        assertThat(MonitorWire.message(text)).isInstanceOf(MonitorMessage.Unreadable.class);
    }

    @Test
    void survivesDepthAndBoundsWhatItPassesOn() {
        assertThat(MonitorWire.message("[".repeat(200_000))).isInstanceOf(MonitorMessage.Unreadable.class);
        var status = "x".repeat(100_000);
        assertThat(MonitorWire.message(
                        "{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"" + status + "\",\"id\":6}"))
                .isInstanceOfSatisfying(
                        MonitorMessage.DownscaleResult.class,
                        result -> assertThat(result.status()).hasSizeLessThan(600));
    }

    static Stream<Arguments> versions() {
        return Stream.of(
                Arguments.of("{\"version\":1}", true),
                Arguments.of("{\"version\":1,\"error\":null,\"extra\":{}}", true),
                Arguments.of("{\"error\":\"no overlap\"}", false),
                Arguments.of("{\"version\":1,\"error\":\"and yet\"}", false),
                Arguments.of("{\"version\":2}", false),
                Arguments.of("{\"version\":0}", false),
                Arguments.of("{\"version\":\"1\"}", false),
                Arguments.of("{}", false),
                Arguments.of("1", false),
                Arguments.of("hello", false));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("versions")
    void agreesToVersionOneAlone(String text, boolean agreed) {
        assertThat(MonitorWire.version(text) instanceof VersionAnswer.Agreed).isEqualTo(agreed);
    }
}
