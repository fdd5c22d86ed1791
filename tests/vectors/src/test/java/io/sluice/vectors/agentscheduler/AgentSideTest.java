package io.sluice.vectors.agentscheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.agent.scheduler.core.AnswerReader;
import io.sluice.agent.scheduler.core.LedgerReplies;
import io.sluice.agent.scheduler.core.PermitRequestText;
import io.sluice.agent.scheduler.core.PodNames;
import io.sluice.agent.scheduler.core.ReplyOutcome;
import io.sluice.agent.scheduler.core.SchedulerAnswer;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sluice's agent sends what the reference's agent sends, and reads each of the reference's recorded replies. */
class AgentSideTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration VALID = Duration.ofSeconds(10);

    @ParameterizedTest(name = "{0}")
    @CsvSource({"agent-live, 66, 66", "answered, 29, 29", "refused, 23, 0", "node-and-controller, 9, 7"})
    void understandsEachRecordedAnswer(String file, int exchanges, int permits) throws IOException {
        var recorded = RecordedExchange.all(recording(file));
        assertThat(recorded).hasSize(exchanges);
        for (var exchange : recorded) {
            assertThat(read(exchange.answer())).as(exchange.name()).isEqualTo(expected(exchange.answer()));
        }
        assertThat(recorded)
                .filteredOn(exchange -> exchange.answer().status() == 200)
                .hasSize(permits);
    }

    @Test
    void requestsAsTheReferenceDoesButForWhatItAdds() throws IOException {
        for (var exchange : RecordedExchange.all(recording("agent-live"))) {
            var theirs = JSON.readTree(exchange.body());
            var ours = (ObjectNode) JSON.readTree(
                    PermitRequestText.of(request(theirs), named(theirs)).in(7));
            ours.remove(List.of("runner", "session", "seq"));
            assertThat(ours).as(exchange.name()).isEqualTo(theirs);
        }
    }

    @Test
    void takesARecordedPermitForTheRulingOfItsRequest() throws IOException {
        for (var exchange : RecordedExchange.all(recording("agent-live"))) {
            var request = request(JSON.readTree(exchange.body()));
            var permit = amount(JSON.readTree(exchange.answer().body()).path("permit"));
            assertThat(LedgerReplies.permit(request, read(exchange.answer()), VALID))
                    .as(exchange.name())
                    .isInstanceOfSatisfying(
                            ReplyOutcome.Replied.class,
                            replied -> assertThat(replied.reply())
                                    .isInstanceOfSatisfying(PermitReply.Ruled.class, ruled -> {
                                        assertThat(ruled.permit()).isEqualTo(permit);
                                        assertThat(ruled.session()).isEqualTo(request.session());
                                        assertThat(ruled.seq()).isEqualTo(request.seq());
                                        assertThat(ruled.migrating()).isFalse();
                                    }));
        }
    }

    private static SchedulerAnswer read(RecordedExchange.Answer answer) {
        return AnswerReader.read(
                answer.status(), Optional.empty(), answer.body().getBytes(StandardCharsets.UTF_8));
    }

    private static SchedulerAnswer expected(RecordedExchange.Answer answer) throws IOException {
        return switch (answer.status()) {
            case 200 ->
                new SchedulerAnswer.Permit(
                        amount(JSON.readTree(answer.body()).path("permit")),
                        false,
                        OptionalLong.empty(),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        Optional.empty());
            case 404 -> new SchedulerAnswer.PodUnknown();
            default ->
                answer.body().contains("protocol version")
                        ? new SchedulerAnswer.VersionRefused(answer.body())
                        : new SchedulerAnswer.Refused(answer.status(), answer.body(), Optional.empty());
        };
    }

    private static PermitRequest request(JsonNode body) {
        return new PermitRequest(
                "node",
                "uid",
                "runner",
                1,
                1,
                amount(body.path("computeUnit")),
                amount(body.path("resources")),
                body.path("lastPermit").isObject() ? Optional.of(amount(body.path("lastPermit"))) : Optional.empty(),
                body.path("metrics").isObject()
                        ? Optional.of(body.path("metrics").path("loadAvg1M").floatValue())
                        : Optional.empty());
    }

    private static PodNames.Named named(JsonNode body) {
        var pod = body.path("pod");
        return new PodNames.Named(
                pod.path("namespace").asText(), pod.path("name").asText(), Resources.NONE);
    }

    private static Resources amount(JsonNode amount) {
        return new Resources(
                Quantities.milliCpu(amount.path("vCPUs").asText()),
                Quantities.bytes(amount.path("mem").asText()));
    }

    private static JsonNode recording(String name) throws IOException {
        String path = "/vectors/agent-scheduler/" + name + ".json.gz";
        try (var packed = AgentSideTest.class.getResourceAsStream(path);
                var text = new GZIPInputStream(packed)) {
            return JSON.readTree(text);
        }
    }
}
