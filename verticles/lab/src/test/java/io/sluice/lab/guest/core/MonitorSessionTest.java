package io.sluice.lab.guest.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.load.core.GuestMemory;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MonitorSessionTest {
    private static final Instant NOW = Instant.parse("2026-11-21T00:00:00Z");
    private static final GuestMemory CALM = new GuestMemory(4L << 30, 1 << 20, 0, 1 << 20);
    private static final GuestMemory FULL = new GuestMemory(4L << 30, 4L << 30, 0, 4L << 30);
    private static final String RANGE = "{\"min\":1,\"max\":1}";

    private final MonitorSession session = new MonitorSession(NOW);

    private List<SessionAction> receive(String text) {
        return session.receive(text, CALM, NOW);
    }

    private static List<SessionAction> reports(String text) {
        return List.of(new SessionAction.Send(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                RANGE,
                "{\"min\":0,\"max\":1}",
                "{\"min\":1,\"max\":255}",
                " { \"max\" : 1 , \"min\" : 1 , \"more\" : [] } "
            })
    void agreesToARangeWithVersionOne(String range) {
        assertThat(receive(range)).isEqualTo(reports("{\"version\":1}"));
        assertThat(session.serving()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"min\":2,\"max\":3}", "{\"min\":0,\"max\":0}", "{\"min\":2,\"max\":1}"})
    void refusesARangeWithoutVersionOneAndLivesOn(String range) {
        var actions = receive(range);
        assertThat(((SessionAction.Send) actions.getFirst()).text()).startsWith("{\"error\":");
        assertThat(actions.getLast()).isInstanceOf(SessionAction.End.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "7",
                "{}",
                "{\"min\":1}",
                "{\"min\":1.0,\"max\":1}",
                "{\"min\":\"1\",\"max\":1}",
                "{\"min\":1,\"min\":1,\"max\":1}",
                "{\"min\":-1,\"max\":1}",
                "{\"min\":1,\"max\":256}",
                "{\"min\":1,\"max\":0}",
                "{\"Min\":1,\"Max\":1}",
                "{\"min\":1,\"max\":1} x"
            })
    void endsWithoutAWordOverWhatIsNoRange(String text) {
        assertThat(receive(text)).singleElement().isInstanceOf(SessionAction.End.class);
        assertThat(session.ended()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "2", "7", "18446744073709551615"})
    void answersAnyIdOfSixtyFourBits(String id) {
        receive(RANGE);
        assertThat(receive("{\"content\":{},\"type\":\"HealthCheck\",\"id\":" + id + "}"))
                .isEqualTo(reports("{\"type\":\"HealthCheck\",\"id\":" + id + "}"));
    }

    @Test
    void confirmsAGrant() {
        receive(RANGE);
        assertThat(receive("{\"content\":{\"granted\":{\"cpu\":1,\"mem\":18446744073709551615}},"
                        + "\"type\":\"UpscaleNotification\",\"id\":4}"))
                .isEqualTo(reports("{\"type\":\"UpscaleConfirmation\",\"id\":4}"));
    }

    @Test
    void rulesInCapitals() {
        receive(RANGE);
        session.tick(CALM, NOW.plusMillis(100));
        var actions =
                receive("{\"content\":{\"target\":{\"cpu\":0.25,\"mem\":0}},\"type\":\"DownscaleRequest\",\"id\":6}");
        assertThat(((SessionAction.Send) actions.getFirst()).text())
                .startsWith("{\"type\":\"DownscaleResult\",\"Ok\":false,\"Status\":\"")
                .endsWith("\",\"id\":6}");
        assertThat(actions.getLast()).isInstanceOf(SessionAction.RecordDenial.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"content\":{\"error\":\"x\"},\"type\":\"InvalidMessage\",\"id\":3}",
                "{\"content\":{\"error\":\"x\"},\"type\":\"InternalError\",\"id\":3}"
            })
    void answersNoComplaint(String text) {
        receive(RANGE);
        assertThat(receive(text)).isEmpty();
        assertThat(session.serving()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"HealthCheck\",\"id\":2}",
                "{\"content\":null,\"type\":\"HealthCheck\",\"id\":2}",
                "{\"content\":[],\"type\":\"HealthCheck\",\"id\":2}",
                "{\"content\":{},\"type\":\"healthCheck\",\"id\":2}",
                "{\"content\":{},\"type\":\"HealthCheck\",\"id\":2.0}",
                "{\"content\":{},\"type\":\"HealthCheck\",\"id\":\"2\"}",
                "{\"content\":{},\"type\":\"HealthCheck\",\"id\":-1}",
                "{\"content\":{},\"type\":\"HealthCheck\",\"id\":18446744073709551616}",
                "{\"content\":{},\"type\":\"HealthCheck\",\"id\":2,\"id\":2}",
                "{\"content\":{},\"type\":\"UpscaleConfirmation\",\"id\":2}",
                "{\"content\":{\"error\":7},\"type\":\"InvalidMessage\",\"id\":2}",
                "{\"type\":\"UpscaleNotification\",\"granted\":{\"cpu\":1,\"mem\":1},\"id\":2}",
                "{\"content\":{\"target\":{\"cpu\":1,\"mem\":1}},\"type\":\"UpscaleNotification\",\"id\":2}",
                "{\"content\":{\"granted\":{\"mem\":1}},\"type\":\"UpscaleNotification\",\"id\":2}",
                "{\"content\":{\"granted\":{\"cpu\":1,\"mem\":8e9}},\"type\":\"UpscaleNotification\",\"id\":2}",
                "{\"content\":{\"granted\":{\"cpu\":1,\"mem\":\"1Gi\"}},\"type\":\"UpscaleNotification\",\"id\":2}",
                "{\"content\":{\"granted\":{\"cpu\":1,\"mem\":-1}},\"type\":\"UpscaleNotification\",\"id\":2}"
            })
    void endsWithoutAWordOverWhatIsNoMessage(String text) {
        receive(RANGE);
        assertThat(receive(text)).singleElement().isInstanceOf(SessionAction.End.class);
        assertThat(receive("{\"content\":{},\"type\":\"HealthCheck\",\"id\":2}"))
                .isEmpty();
    }

    @Test
    void sendsAnUpscaleRequestRightAfterTheVersionWhereMemoryIsShort() {
        assertThat(session.receive(RANGE, FULL, NOW))
                .containsExactly(
                        new SessionAction.Send("{\"version\":1}"),
                        new SessionAction.Send("{\"type\":\"UpscaleRequest\",\"id\":3}"),
                        new SessionAction.RecordUpscaleRequest());
        assertThat(session.tick(FULL, NOW.plusMillis(900))).isEmpty();
        assertThat(session.tick(FULL, NOW.plusMillis(1000)))
                .contains(new SessionAction.Send("{\"type\":\"UpscaleRequest\",\"id\":5}"));
    }

    @Test
    void goesAtOnceWhenANewerSessionBeginsButGivesItsVersionFirst() {
        assertThat(session.supersede()).isEmpty();
        assertThat(receive(RANGE))
                .containsExactly(
                        new SessionAction.Send("{\"version\":1}"), new SessionAction.End("a newer session began"));
        var serving = new MonitorSession(NOW);
        serving.receive(RANGE, CALM, NOW);
        assertThat(serving.supersede()).singleElement().isInstanceOf(SessionAction.End.class);
    }

    @ParameterizedTest
    @CsvSource({"3999, false", "4000, true"})
    void waitsFourSecondsForTheRange(long afterMs, boolean over) {
        session.tick(CALM, NOW.plusMillis(afterMs));
        assertThat(session.ended()).isEqualTo(over);
    }

    @Test
    void mindsAnOddFrameBeforeTheRangeOnly() {
        assertThat(session.receiveOther()).singleElement().isInstanceOf(SessionAction.End.class);
        var serving = new MonitorSession(NOW);
        serving.receive(RANGE, CALM, NOW);
        assertThat(serving.receiveOther()).isEmpty();
    }
}
