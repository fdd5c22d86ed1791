package io.sluice.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.bus.Catalogue;
import io.sluice.bus.EventAddress;
import io.sluice.bus.RequestAddress;
import io.sluice.bus.Tap;
import io.sluice.gateway.core.console.fleet.ConsoleFeed;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.EndMigration;
import io.sluice.wire.WireCodec;
import java.lang.reflect.ParameterizedType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MessageJsonTest {
    /** Of a kind that no message has today. */
    public record Odd(
            String authToken,
            Map<String, String> headers,
            Optional<Instant> at,
            Duration within,
            List<Integer> numbers,
            double share,
            Object none) {}

    /** Nested in itself. */
    public record Nested(Optional<Nested> inner) {}

    @Test
    void namesTheCaseOfASealedMessage() {
        assertThat(readable(new HoldReply.NotReady(NotReadyCause.NODE_UNKNOWN)).toString())
                .isEqualTo("{\"type\":\"NotReady\",\"cause\":\"NODE_UNKNOWN\"}");
        assertThat(readable(new HoldReply.NoRoom(ConsoleFeed.cu(1), ConsoleFeed.cu(40), ConsoleFeed.cu(40)))
                        .at("/shortBy")
                        .asText())
                .isEqualTo("250m/1Gi");
    }

    @Test
    void reportsNoSecrets() {
        var odd = new Odd(
                "abc",
                Map.of("Authorization", "Bearer abc", "dbPASSWORD", "abc", "host", "h1"),
                Optional.of(Instant.EPOCH),
                Duration.ofMillis(1500),
                List.of(1, 2),
                0.25,
                null);
        var json = readable(odd);
        assertThat(json.toString()).doesNotContain("abc");
        assertThat(json.get("authToken").asText()).isEqualTo("(redacted)");
        assertThat(json.at("/headers/host").asText()).isEqualTo("h1");
        assertThat(json.at("/at").asText()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(json.at("/within").asText()).isEqualTo("1s500ms");
        assertThat(json.at("/share").asDouble()).isEqualTo(0.25);
        assertThat(json.at("/none").isNull()).isTrue();
    }

    @Test
    void writesNoMoreThanAnybodyReads() {
        var nodes = IntStream.range(0, 1_000)
                .mapToObj(number -> ConsoleFeed.node("node-" + number, 1))
                .toList();
        var json = readable(new Snapshot(nodes));
        assertThat(json.get("nodes").size()).isBetween(50, 500);
        assertThat(json.get("nodes").get(json.get("nodes").size() - 1).asText()).isEqualTo("… 1000 in all");
        assertThat(json.toString().length()).isLessThan(100_000);
        var nested = new Nested(Optional.empty());
        for (int depth = 0; depth < 1_000; depth++) {
            nested = new Nested(Optional.of(nested));
        }
        assertThat(readable(nested).toString().length()).isLessThan(1_000);
    }

    @Test
    void writesAmountsAndTimesAsTheRestOfTheConsoleOnRequest() {
        var status = ConsoleFeed.status("a", Waiting.ROOM, 12, "");
        var json = ConsoleFixture.read(
                JsonText.value(out -> MessageJson.plain(out, status)).toString());
        assertThat(json.get("size").toString()).isEqualTo("[2500,10737418240]");
        assertThat(json.get("since").asLong()).isEqualTo(12_000);
    }

    @Test
    void writesNumbersAsTheyAre() {
        var json = readable(ConsoleFeed.status("a", Waiting.ROOM, 12, "")).get("basis");
        assertThat(json.get("usageBytes").toString()).isEqualTo(String.valueOf(1205L << 20));
        assertThat(json.get("load1").toString()).isEqualTo("0.6");
        assertThat(readable(0.42f).toString()).isEqualTo("0.42");
    }

    static Stream<Arguments> subjects() {
        var pod = new PodObserved("pod-a", "default", "a-0", "node-c", "a", 1, ConsoleFeed.UNIT, 0);
        var moved = ConsoleFeed.pressure(PressureDecision.Kind.MOVED, "a", "node-c", "node-b", "");
        var decision = ConsoleFeed.pressure(PressureDecision.Kind.NONE_MOVES, "", "node-c", "", "");
        return Stream.of(
                Arguments.of(pod, "default/a", "node-c"),
                Arguments.of(ConsoleFeed.vm("a", "node-c", 1), "default/a", "node-c"),
                Arguments.of(new ClaimVm(ConsoleFeed.id("a"), "r"), "default/a", ""),
                Arguments.of(new Reclaim("node-c", "pod-a", ConsoleFeed.UNIT, 0), "default/a", "node-c"),
                Arguments.of(
                        new MarkMigrating("node-c", "pod-x", MarkMigrating.Cause.ALWAYS, ConsoleFeed.UNIT, "move"),
                        "",
                        "node-c"),
                Arguments.of(moved, "default/a", "node-c"),
                Arguments.of(decision, "", "node-c"),
                Arguments.of(ConsoleFeed.node("node-c", 1), "", "node-c"),
                Arguments.of(new EndMigration("neonvm", "default", "m", "u"), "", ""),
                Arguments.of("no record", "", ""));
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void findsWhatAMessageIsAbout(Object message, String vm, String node) {
        var names = new MemberNames();
        names.observed(new PodObserved("pod-a", "default", "a-0", "node-c", "a", 1, ConsoleFeed.UNIT, 0));
        assertThat(MessageSubject.of(passage(message, Optional.empty()), names))
                .isEqualTo(new MessageSubject(vm, node));
        var answer = new HoldReply.Released();
        assertThat(MessageSubject.of(passage(answer, Optional.of(message)), names))
                .isEqualTo(new MessageSubject(vm, node));
    }

    @Test
    void forgetsThePodsThatAreGone() {
        var names = new MemberNames();
        names.observed(new PodObserved("pod-a", "default", "a-0", "node-c", "a", 1, ConsoleFeed.UNIT, 0));
        names.gone("pod-a");
        assertThat(names.vmIn("pod-a")).isEmpty();
    }

    /** A message that is no record would be shown as its text alone. */
    @Test
    void everyMessageOfTheVocabularyIsARecordOrSealed() {
        var carried = Stream.concat(
                        Catalogue.REQUESTS.stream().flatMap(MessageJsonTest::codecs),
                        Catalogue.EVENTS.stream().map(EventAddress::event))
                .map(codec -> codec.getClass().getGenericSuperclass())
                .map(type -> (Class<?>) ((ParameterizedType) type).getActualTypeArguments()[0])
                .toList();
        assertThat(carried).hasSizeGreaterThan(30).allMatch(message -> message.isRecord() || message.isSealed());
    }

    private static Stream<WireCodec<?>> codecs(RequestAddress<?, ?> address) {
        return Stream.of(address.request(), address.answer());
    }

    private static Tap.Passage passage(Object message, Optional<Object> request) {
        return new Tap.Passage(
                "a.b",
                Tap.Kind.EVENT,
                Tap.Direction.OUT,
                Catalogue.EVENTS.getFirst().event(),
                Optional.of(message),
                request,
                Optional.empty(),
                Optional.empty());
    }

    private static JsonNode readable(Object message) {
        return ConsoleFixture.read(
                JsonText.value(out -> MessageJson.readable(out, message)).toString());
    }
}
