package io.sluice.vectors.agentscheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sluice sends agents the same replies as the reference, except where it differs on purpose. */
class AgentSchedulerTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({"agent-live, 66, 0", "answered, 29, 3", "refused, 23, 4", "node-and-controller, 9, 2"})
    void givesTheRecordedKindOfAnswer(String file, int exchanges, int onPurpose) throws Exception {
        var played = ExchangePlayer.play(RecordedExchange.all(recording(file)));
        assertThat(played).allMatch(Played::good).hasSize(exchanges);
        assertThat(played).filteredOn(one -> one.onPurpose().isPresent()).hasSize(onPurpose);
    }

    @Test
    void reportsWhenAReplyIsNotTheRecordedOne() throws Exception {
        assertThat(bad("answered", "{\"permit\":{\"vCPUs\":\"600m\"", "{\"permit\":{\"vCPUs\":\"700m\""))
                .containsExactly("not-a-multiple");
        assertThat(bad("refused", "must be POST", "must be GET")).containsExactly("get", "put");
    }

    /**
     * The reservations of the rest of the node are derived from a cut reply, so the denial after it proves the rule.
     */
    @Test
    void reportsWhenRoomIsGivenThatTheReferenceHadNot() throws Exception {
        var exchanges = RecordedExchange.all(recording("node-and-controller")).stream()
                .map(exchange -> exchange.name().equals("fill") ? answered(exchange, "3618Gi", "3617Gi") : exchange)
                .map(exchange -> exchange.name().equals("denied") ? answered(exchange, "1Gi", "2Gi") : exchange)
                .toList();
        assertThat(ExchangePlayer.play(exchanges))
                .filteredOn(one -> !one.good())
                .extracting(Played::name)
                .containsExactly("denied");
    }

    private static List<String> bad(String file, String word, String other) throws IOException {
        var exchanges = RecordedExchange.all(recording(file)).stream()
                .map(exchange -> answered(exchange, word, other))
                .toList();
        return ExchangePlayer.play(exchanges).stream()
                .filter(one -> !one.good())
                .map(Played::name)
                .toList();
    }

    private static RecordedExchange answered(RecordedExchange exchange, String word, String other) {
        var answer = exchange.answer();
        return new RecordedExchange(
                exchange.name(),
                exchange.method(),
                exchange.path(),
                exchange.headers(),
                exchange.body(),
                new RecordedExchange.Answer(
                        answer.status(), answer.contentType(), answer.body().replace(word, other)));
    }

    private static JsonNode recording(String name) throws IOException {
        String path = "/vectors/agent-scheduler/" + name + ".json.gz";
        try (var packed = AgentSchedulerTest.class.getResourceAsStream(path);
                var text = new GZIPInputStream(packed)) {
            return new ObjectMapper().readTree(text);
        }
    }
}
