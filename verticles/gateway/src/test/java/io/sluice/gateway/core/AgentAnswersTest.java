package io.sluice.gateway.core;

import static io.sluice.gateway.core.PodObservations.GI;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.AgentRequest.Speaker;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AgentAnswersTest {
    private static final AdmittedRequest PLAIN = PodObservations.request("a", 2);
    private static final AdmittedRequest IN_SESSION =
            PodObservations.request("a", 2, new Speaker.InSession("r1", 3, 9));
    private static final AdmittedRequest OPENING = PodObservations.request("a", 2, new Speaker.Opening("r", 0));

    static PermitReply.Ruled ruled(Resources permit, boolean migrating) {
        var ruling = new KindDecision(KindDecision.Rule.GRANTED, 0, 0, 0, 0, 0, 0);
        return new PermitReply.Ruled(3, 9, permit, Duration.ofSeconds(10), migrating, ruling, ruling);
    }

    static Stream<Arguments> bodies() {
        var notReady = new PermitReply.NotReady(NotReadyCause.NODE_INCOMPLETE, Duration.ofMillis(1200));
        return Stream.of(
                Arguments.of(
                        PLAIN,
                        ruled(new Resources(500, 2 * GI), false),
                        200,
                        "{\"permit\":{\"vCPUs\":\"500m\",\"mem\":\"2Gi\"}}"),
                Arguments.of(
                        PLAIN, ruled(new Resources(2000, 1000), false), 200, "{\"permit\":{\"vCPUs\":2,\"mem\":1000}}"),
                Arguments.of(
                        PLAIN,
                        ruled(new Resources(0, 0), true),
                        200,
                        "{\"permit\":{\"vCPUs\":0,\"mem\":0},\"migrate\":{}}"),
                Arguments.of(
                        IN_SESSION,
                        ruled(new Resources(500, 2 * GI), true),
                        200,
                        "{\"permit\":{\"vCPUs\":\"500m\",\"mem\":\"2Gi\"},\"migrate\":{},\"session\":3,\"validFor\":10}"),
                Arguments.of(
                        IN_SESSION,
                        new PermitReply.Late(11, PodObservations.UNIT),
                        200,
                        "{\"permit\":{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"},\"session\":3,\"validFor\":0}"),
                Arguments.of(IN_SESSION, new PermitReply.Superseded(4, "A"), 409, "superseded"),
                Arguments.of(IN_SESSION, new PermitReply.OpenAgain(2), 409, "open again"),
                Arguments.of(
                        IN_SESSION,
                        new PermitReply.SeqReused(9),
                        400,
                        "seq 9 of this session was used for another request"),
                Arguments.of(IN_SESSION, notReady, 503, "the ledger has no full list of the node's pods yet"),
                Arguments.of(PLAIN, new PermitReply.Refused(RefusalCause.POD_UNKNOWN), 404, "pod not found"),
                Arguments.of(
                        PLAIN, new PermitReply.Refused(RefusalCause.NOT_A_VM), 400, "pod is not associated with a VM"),
                Arguments.of(
                        PLAIN, new PermitReply.Refused(RefusalCause.OVERFLOW), 400, RefusalCause.OVERFLOW.sentence()));
    }

    @ParameterizedTest(name = "{1} -> {2} {3}")
    @MethodSource("bodies")
    void writesItInTheWordsOfTheProtocol(AdmittedRequest request, PermitReply reply, int status, String body) {
        var answer = AgentAnswers.of(request, reply);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo(body);
        assertThat(answer.contentType()).isEqualTo(status == 200 ? "application/json" : "text/plain");
        assertThat(answer.retryAfterSeconds()).isEqualTo(status == 503 ? Optional.of("2") : Optional.empty());
    }

    @Test
    void reportsToASessionWhyItWasGivenLess() {
        var cut = new KindDecision(KindDecision.Rule.CUT_TO_ROOM, 250, 500, 250, 100, 11_900, 12_000);
        var granted = new KindDecision(KindDecision.Rule.GRANTED, GI, 2 * GI, 2 * GI, 3 * GI, 5 * GI, 8 * GI);
        var reply =
                new PermitReply.Ruled(3, 9, new Resources(250, 2 * GI), Duration.ofMillis(2500), false, cut, granted);
        assertThat(AgentAnswers.of(PLAIN, reply).body()).isEqualTo("{\"permit\":{\"vCPUs\":\"250m\",\"mem\":\"2Gi\"}}");
        assertThat(AgentAnswers.of(IN_SESSION, reply).body())
                .isEqualTo("{\"permit\":{\"vCPUs\":\"250m\",\"mem\":\"2Gi\"},\"session\":3,\"validFor\":2.5,"
                        + "\"ruling\":{\"cpu\":{\"verdict\":\"CUT_TO_ROOM\",\"before\":250,\"remaining\":100,"
                        + "\"nodeReserved\":11900,\"nodeTotal\":12000},\"mem\":{\"verdict\":\"GRANTED\","
                        + "\"before\":1073741824,\"remaining\":3221225472,\"nodeReserved\":5368709120,"
                        + "\"nodeTotal\":8589934592}}}");
    }

    @Test
    void anOpeningGivesNothingToGrowOn() {
        assertThat(AgentAnswers.of(OPENING, new OpenReply.Opened(7, PodObservations.UNIT, false))
                        .body())
                .isEqualTo("{\"permit\":{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"},\"session\":7,\"validFor\":0}");
        assertThat(AgentAnswers.of(OPENING, new OpenReply.Opened(7, PodObservations.UNIT.times(16), true))
                        .body())
                .isEqualTo(
                        "{\"permit\":{\"vCPUs\":4,\"mem\":\"16Gi\"},\"session\":7,\"validFor\":0,\"recovered\":true}");
    }

    @Test
    void repliesInSlotsToARequestInSlots() {
        var old = new AdmittedRequest(
                PodObservations.reservation("a"),
                PodObservations.UNIT,
                PodObservations.UNIT,
                Optional.empty(),
                Optional.empty(),
                PLAIN.speaker(),
                true,
                Optional.empty());
        assertThat(AgentAnswers.of(old, ruled(new Resources(1000, 3 * GI + 5), false))
                        .body())
                .isEqualTo("{\"permit\":{\"vCPUs\":1,\"mem\":3}}");
    }
}
