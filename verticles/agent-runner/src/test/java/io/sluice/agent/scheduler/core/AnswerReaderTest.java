package io.sluice.agent.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.Resources;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses of schedulers, those of the reference word for word as they were received. */
class AnswerReaderTest {
    private static final long GI = 1L << 30;
    private static final Duration VALID = Duration.ofSeconds(10);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"permit":{"vCPUs":"250m","mem":"1Gi"}}                   | 250    | 1073741824
        {"permit":{"vCPUs":"500m","mem":"2Gi"}}                   | 500    | 2147483648
        {"permit":{"vCPUs":"600m","mem":"2560Mi"}}                | 600    | 2684354560
        {"permit":{"vCPUs":"903750m","mem":"3618Gi"}}             | 903750 | 3884797919232
        {"permit":{"vCPUs":1,"mem":"4Gi"}}                        | 1000   | 4294967296
        {"permit":{"vCPUs":0,"mem":0}}                            | 0      | 0
        {"permit":{"vCPUs":0.25,"mem":1073741824},"migrate":null} | 250    | 1073741824
        {"PERMIT":{"VCPUS":"1","Mem":"1e9"},"more":[{}]}          | 1000   | 1000000000
        """)
    void understandsPermits(String body, long milliCpu, long bytes) {
        assertThat(read(200, body))
                .isEqualTo(new SchedulerAnswer.Permit(
                        new Resources(milliCpu, bytes),
                        false,
                        OptionalLong.empty(),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.empty()));
    }

    @Test
    void readsWhatOurGatewaysAdd() {
        var answer = read(200, """
            {"permit":{"vCPUs":2,"mem":"4Gi"},"migrate":{},"session":7,"validFor":2.5,"recovered":true,
             "ruling":{"cpu":{"verdict":"CUT_TO_ROOM","before":1000,"remaining":1000,"nodeReserved":12000,
              "nodeTotal":12000},"mem":{"verdict":"OF_TOMORROW"}}}
            """);
        assertThat(answer)
                .isEqualTo(new SchedulerAnswer.Permit(
                        new Resources(2000, 4 * GI),
                        true,
                        OptionalLong.of(7),
                        Optional.of(Duration.ofMillis(2500)),
                        true,
                        Optional.of(new KindDecision(KindDecision.Rule.CUT_TO_ROOM, 1000, 0, 0, 1000, 12_000, 12_000)),
                        Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{",
                "<html>",
                "{}",
                "{\"permit\":null}",
                "{\"permit\":[]}",
                "{\"permit\":{}}",
                "{\"permit\":{\"vCPUs\":1}}",
                "{\"permit\":{\"vCPUs\":-1,\"mem\":1}}",
                "{\"permit\":{\"vCPUs\":\"-250m\",\"mem\":1}}",
                "{\"permit\":{\"vCPUs\":1,\"mem\":\"lots\"}}",
                "{\"permit\":{\"vCPUs\":1e999999,\"mem\":1}}",
                "{\"permit\":{\"vCPUs\":1,\"mem\":9223372036854775808}}",
                "{\"permit\":{\"vCPUs\":true,\"mem\":1}}",
                "{\"permit\":{\"vCPUs\":1,\"mem\":1},\"migrate\":true}",
                "{\"permit\":{\"vCPUs\":1,\"mem\":1},\"session\":0}",
                "{\"permit\":{\"vCPUs\":1,\"mem\":1},\"session\":\"1\"}",
                "{\"permit\":{\"vCPUs\":1,\"mem\":1},\"validFor\":-1}"
            })
    void takesNothingElseForAPermit(String body) {
        assertThat(read(200, body)).isInstanceOf(SchedulerAnswer.Unreadable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "protocol version mismatch: need v5.0 but got v4.0",
                "Protocol version mismatch: Need v3.0 to v5.0 but got v2.1",
                "protocol version mismatch: need v5.0 but got <unknown = v5.0 + 1>",
                "invalid protocol version <invalid: zero>"
            })
    void recognizesARefusedVersion(String words) {
        assertThat(read(400, words)).isEqualTo(new SchedulerAnswer.VersionRefused(words));
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                Arguments.of(409, "superseded", "", new SchedulerAnswer.Superseded()),
                Arguments.of(409, "open again", "", new SchedulerAnswer.OpenAgain()),
                Arguments.of(404, "pod not found", "", new SchedulerAnswer.PodUnknown()),
                Arguments.of(404, "pod's node is unknown", "", new SchedulerAnswer.PodUnknown()),
                Arguments.of(404, "no such page", "", refused(404, "no such page")),
                Arguments.of(400, "bad JSON", "", refused(400, "bad JSON")),
                Arguments.of(500, "failed to patch VM object", "", refused(500, "failed to patch VM object")),
                Arguments.of(429, "too often", "2", refused(429, "too often", 2)),
                Arguments.of(503, "full", " 30 ", refused(503, "full", 30)),
                Arguments.of(503, "full", "99999999999999999999", refused(503, "full", 60)),
                Arguments.of(503, "full", "Sat, 21 Nov 2026 03:31:43 GMT", refused(503, "full")),
                Arguments.of(503, "two\r\nlines\u0007", "-1", refused(503, "two lines")),
                Arguments.of(302, "", "", refused(302, "")));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void understandsRefusals(int status, String words, String retryAfter, SchedulerAnswer expected) {
        var header = Optional.of(retryAfter).filter(text -> !text.isEmpty());
        assertThat(AnswerReader.read(status, header, words.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(expected);
    }

    @Test
    void usesALocalSessionWhereTheServerHasNone() {
        var opened = LedgerReplies.opening(read(200, "{\"permit\":{\"vCPUs\":1,\"mem\":\"4Gi\"}}"));
        assertThat(opened)
                .isEqualTo(new ReplyOutcome.Replied<>(
                        new OpenReply.Opened(LocalSession.NUMBER, new Resources(1000, 4 * GI), true)));
    }

    @Test
    void makesARulingOnThisRequestOfAPermitWithoutASession() {
        assertThat(LedgerReplies.permit(REQUEST, read(200, "{\"permit\":{\"vCPUs\":1,\"mem\":\"8Gi\"}}"), VALID))
                .isEqualTo(new ReplyOutcome.Replied<PermitReply>(new PermitReply.Ruled(
                        3,
                        5,
                        new Resources(1000, 8 * GI),
                        VALID,
                        false,
                        new KindDecision(KindDecision.Rule.CUT_TO_ROOM, 0, 2000, 1000, 0, 0, 0),
                        new KindDecision(KindDecision.Rule.GRANTED, 0, 8 * GI, 8 * GI, 0, 0, 0))));
    }

    @Test
    void givesTheReplyThatTheLedgerWouldHaveGiven() {
        assertThat(LedgerReplies.permit(REQUEST, new SchedulerAnswer.Superseded(), VALID))
                .isEqualTo(new ReplyOutcome.Replied<PermitReply>(new PermitReply.Superseded(4, "")));
        assertThat(LedgerReplies.permit(REQUEST, new SchedulerAnswer.OpenAgain(), VALID))
                .isEqualTo(new ReplyOutcome.Replied<PermitReply>(new PermitReply.OpenAgain(0)));
        assertThat(LedgerReplies.permit(REQUEST, new SchedulerAnswer.PodUnknown(), VALID))
                .isEqualTo(new ReplyOutcome.Replied<PermitReply>(new PermitReply.Refused(RefusalCause.POD_UNKNOWN)));
        assertThat(LedgerReplies.permit(REQUEST, refused(503, "full", 2), VALID))
                .isEqualTo(new ReplyOutcome.Unanswered<PermitReply>(
                        "the scheduler answered 503: full", Optional.of(Duration.ofSeconds(2))));
    }

    private static final PermitRequest REQUEST = new PermitRequest(
            "n1",
            "uid",
            "runner",
            3,
            5,
            new Resources(250, GI),
            new Resources(2000, 8 * GI),
            Optional.empty(),
            Optional.empty());

    private static SchedulerAnswer read(int status, String body) {
        return AnswerReader.read(status, Optional.empty(), body.getBytes(StandardCharsets.UTF_8));
    }

    private static SchedulerAnswer refused(int status, String words) {
        return new SchedulerAnswer.Refused(status, words, Optional.empty());
    }

    private static SchedulerAnswer refused(int status, String words, int seconds) {
        return new SchedulerAnswer.Refused(status, words, Optional.of(Duration.ofSeconds(seconds)));
    }
}
