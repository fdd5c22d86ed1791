package io.sluice.monitor.core;

import static io.sluice.monitor.core.DrivenLink.TWO;
import static io.sluice.monitor.core.DrivenLink.VERSION;
import static io.sluice.monitor.core.DrivenLink.VM;
import static io.sluice.monitor.core.DrivenLink.healthy;
import static io.sluice.monitor.core.DrivenLink.only;
import static io.sluice.monitor.core.DrivenLink.reported;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection sends and answers during the handshake and in a session. */
class MonitorConnectionTest {
    private final DrivenLink drive = new DrivenLink();

    @Test
    void dialsThenSendsItsRangeThenChecksHealthAtOnce() {
        assertThat(drive.on(new ConnectionEvent.Requested())).containsExactly(new ConnectionAction.Dial(1));
        assertThat(drive.on(new ConnectionEvent.Opened(1)))
                .containsExactly(new ConnectionAction.Send(1, "{\"min\":1,\"max\":1}"));
        assertThat(drive.receive(VERSION))
                .containsExactly(new ConnectionAction.Send(1, "{\"content\":{},\"type\":\"HealthCheck\",\"id\":2}"));
        assertThat(drive.link.state().connected()).isFalse();
        var actions = drive.receive(healthy(2));
        assertThat(only(ConnectionAction.Announce.class, actions))
                .containsExactly(new ConnectionAction.Announce(
                        new MonitorState(VM, drive.link.state().generation(), true, "")));
    }

    @Test
    void takesAnUpscaleRequestAsProofAndReportsItAfterTheConnection() {
        drive.prove();
        var actions = drive.receive("{\"type\":\"UpscaleRequest\",\"id\":3}");
        assertThat(actions)
                .containsExactly(
                        new ConnectionAction.Announce(
                                new MonitorState(VM, drive.link.state().generation(), true, "")),
                        new ConnectionAction.ReportUpscaleRequest(
                                drive.link.state().generation()));
    }

    @Test
    void passesOnAnUpscaleRequestASecondButNotAStormOfThem() {
        drive.live();
        int upscaleRequests = 0;
        for (int i = 0; i < 50; i++) {
            drive.now = drive.now.plusMillis(20);
            upscaleRequests += only(
                            ConnectionAction.ReportUpscaleRequest.class,
                            drive.receive("{\"type\":\"UpscaleRequest\",\"id\":3}"))
                    .size();
        }
        assertThat(upscaleRequests).isEqualTo(5);
    }

    @Test
    void treatsADropRightAfterTheVersionAsAFailedAttempt() {
        drive.prove();
        long proving = drive.link.state().generation();
        var actions = drive.on(new ConnectionEvent.Disconnected(1, "the monitor ended the connection"));
        assertThat(only(ConnectionAction.RecordEnd.class, actions))
                .containsExactly(new ConnectionAction.RecordEnd("the monitor ended the connection", 1));
        assertThat(drive.link.state())
                .isEqualTo(new MonitorState(
                        VM, drive.link.state().generation(), false, "the monitor ended the connection"));
        assertThat(drive.link.state().generation()).isGreaterThan(proving);
        assertThat(only(ConnectionAction.Dial.class, drive.after(Duration.ofMillis(499))))
                .isEmpty();
        assertThat(only(ConnectionAction.Dial.class, drive.after(Duration.ofMillis(501))))
                .hasSize(1);
    }

    static Stream<Arguments> endings() {
        return Stream.of(
                Arguments.of("no JSON", "{", 1011),
                Arguments.of("no type", "{\"id\":2}", 1011),
                Arguments.of("no number as id", "{\"type\":\"HealthCheck\",\"id\":\"2\"}", 1011),
                Arguments.of("a body of another type", "{\"type\":\"DownscaleResult\",\"id\":4}", 1011));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endings")
    void closesOverWhatItCannotRead(String name, String text, int code) {
        drive.live();
        var actions = drive.receive(text);
        assertThat(only(ConnectionAction.Close.class, actions))
                .singleElement()
                .satisfies(close -> assertThat(close.reason().code()).isEqualTo(code));
        assertThat(drive.link.state().connected()).isFalse();
    }

    @Test
    void complainsFailsTheCallAndClosesOverAMalformedAnswer() {
        drive.live();
        drive.request(CallKind.DOWNSCALE, 71);
        var actions = drive.receive("{\"type\":\"DownscaleResult\",\"Ok\":1,\"Status\":\"\",\"id\":4}");
        assertThat(reported(actions.getFirst())).contains("InvalidMessage").contains("\"id\":4");
        assertThat(only(ConnectionAction.Answer.class, actions))
                .singleElement()
                .satisfies(answer -> assertThat(answer.reply()).isInstanceOf(ResizeReply.Failed.class));
        assertThat(only(ConnectionAction.Close.class, actions)).hasSize(1);
    }

    @Test
    void failsTheCallButKeepsTheConnectionOverAnUnknownType() {
        drive.live();
        drive.request(CallKind.UPSCALE, 71);
        var actions = drive.receive("{\"type\":\"Gossip\",\"id\":4}");
        assertThat(reported(actions.getFirst()))
                .contains("no such type: Gossip")
                .contains("\"id\":4");
        assertThat(only(ConnectionAction.Answer.class, actions)).hasSize(1);
        assertThat(drive.link.state().connected()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"UpscaleConfirmation\",\"id\":99}",
                "{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"\",\"id\":99}",
                "{\"type\":\"HealthCheck\",\"id\":99}",
                "{\"type\":\"InternalError\",\"error\":\"x\",\"id\":99}"
            })
    void complainsAboutAReplyThatNothingWaitsForAndLivesOn(String text) {
        drive.live();
        var actions = drive.receive(text);
        assertThat(reported(only(ConnectionAction.Send.class, actions).getFirst()))
                .contains("InvalidMessage")
                .contains("\"id\":99");
        assertThat(drive.link.state().connected()).isTrue();
    }

    @Test
    void answersNoInvalidMessageWithAnother() {
        drive.live();
        drive.request(CallKind.UPSCALE, 71);
        var actions = drive.receive("{\"type\":\"InvalidMessage\",\"error\":\"what?\",\"id\":4}");
        assertThat(only(ConnectionAction.Send.class, actions)).isEmpty();
        assertThat(only(ConnectionAction.Answer.class, actions)).hasSize(1);
        assertThat(only(
                        ConnectionAction.Send.class,
                        drive.receive("{\"type\":\"InvalidMessage\",\"error\":\"what?\",\"id\":99}")))
                .isEmpty();
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of(
                        CallKind.UPSCALE,
                        "{\"type\":\"UpscaleConfirmation\",\"id\":4}",
                        new ResizeReply.Accepted(""),
                        CallOutcome.OK),
                Arguments.of(
                        CallKind.DOWNSCALE,
                        "{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"done\",\"id\":4}",
                        new ResizeReply.Accepted("done"),
                        CallOutcome.OK),
                Arguments.of(
                        CallKind.DOWNSCALE,
                        "{\"type\":\"DownscaleResult\",\"Ok\":false,\"Status\":\"in use\",\"id\":4}",
                        new ResizeReply.Denied("in use"),
                        CallOutcome.DENIED),
                Arguments.of(
                        CallKind.DOWNSCALE,
                        "{\"type\":\"InternalError\",\"error\":\"no luck\",\"id\":4}",
                        new ResizeReply.Failed("the monitor failed: no luck"),
                        CallOutcome.FAILED),
                Arguments.of(
                        CallKind.UPSCALE,
                        "{\"type\":\"HealthCheck\",\"id\":4}",
                        new ResizeReply.Failed("the monitor answered with a HealthCheck"),
                        CallOutcome.FAILED),
                Arguments.of(
                        CallKind.UPSCALE,
                        "{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"\",\"id\":4}",
                        new ResizeReply.Failed("the monitor answered as if it were DOWNSCALE"),
                        CallOutcome.FAILED));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void pairsAnswersWithCalls(CallKind kind, String text, ResizeReply reply, CallOutcome outcome) {
        drive.live();
        drive.request(kind, 71);
        drive.now = drive.now.plusMillis(30);
        assertThat(drive.receive(text))
                .contains(
                        new ConnectionAction.Answer(71, reply),
                        new ConnectionAction.Count(kind, outcome, Duration.ofMillis(30)));
        assertThat(drive.link.state().connected()).isTrue();
    }

    @Test
    void refusesASecondResizeWhileOneIsUnderWay() {
        drive.live();
        assertThat(only(ConnectionAction.Send.class, drive.request(CallKind.DOWNSCALE, 71)))
                .hasSize(1);
        assertThat(drive.request(CallKind.UPSCALE, 72))
                .containsExactly(new ConnectionAction.Answer(
                        72, new ResizeReply.Failed("another resize is under way with this monitor")));
    }

    @Test
    void refusesAResizeForAnotherSession() {
        drive.live();
        var request = new ConnectionEvent.ResizeRequested(
                71, CallKind.UPSCALE, drive.link.state().generation() - 1, TWO);
        assertThat(drive.on(request))
                .singleElement()
                .satisfies(answer ->
                        assertThat(((ConnectionAction.Answer) answer).reply()).isInstanceOf(ResizeReply.Failed.class));
    }

    @Test
    void refusesAResizeBeforeTheSessionIsProven() {
        drive.prove();
        assertThat(only(ConnectionAction.Answer.class, drive.request(CallKind.UPSCALE, 71)))
                .singleElement()
                .satisfies(answer -> assertThat(answer.reply()).isInstanceOf(ResizeReply.Failed.class));
    }
}
