package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.EvictPod;
import io.sluice.messages.vm.EvictReply;
import io.sluice.messages.vm.NominateNode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictionObjectsTest {
    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.789Z");
    private static final EvictPod REQUEST =
            new EvictPod("u-low", "ns", "low", "n", new EvictPod.Preemptor("u-high", "other", "high"), "own");

    private static List<JsonNode> events(EvictReply reply) {
        return EvictionObjects.events(REQUEST, reply, NOW).stream()
                .map(event -> Samples.json(event.object()))
                .toList();
    }

    @Test
    void evictsThePodWithThatUidAlone() {
        var eviction = Samples.json(EvictionObjects.create(REQUEST));
        assertThat(eviction.path("kind").asText()).isEqualTo("Eviction");
        assertThat(eviction.at("/metadata/name").asText()).isEqualTo("low");
        assertThat(eviction.at("/deleteOptions/preconditions/uid").asText()).isEqualTo("u-low");
    }

    @Test
    void writesWhyToBothPods() {
        var events = events(new EvictReply.Evicted());
        assertThat(events)
                .extracting(
                        event -> event.at("/involvedObject/uid").asText(),
                        event -> event.path("message").asText())
                .containsExactly(
                        tuple("u-low", "Preempted by pod other/high (u-high) on node n"),
                        tuple("u-high", "Pod ns/low of lower priority is evicted from node n"));
        assertThat(events)
                .extracting(event -> event.at("/metadata/namespace").asText())
                .containsExactly("ns", "other");
        assertThat(events(new EvictReply.RefusedByBudget("it needs 1")))
                .extracting(event -> event.path("message").asText())
                .containsExactly("Pod ns/low on node n is not evicted: it needs 1");
        assertThat(events(new EvictReply.Gone())).isEmpty();
        var itself = new EvictPod("u-low", "ns", "low", "n", new EvictPod.Preemptor("u-low", "ns", "low"), "own");
        assertThat(EvictionObjects.events(itself, new EvictReply.Evicted(), NOW))
                .as("whoever evicts it for its own sake writes why")
                .isEmpty();
    }

    @Test
    void namesEventsByThePairSoThatARepeatMakesNoSecondOne() {
        var later = EvictionObjects.events(REQUEST, new EvictReply.Evicted(), NOW.plusSeconds(60));
        assertThat(later).hasSize(2);
        assertThat(Samples.json(later.getFirst().object()).at("/metadata/name"))
                .isEqualTo(events(new EvictReply.Evicted()).getFirst().at("/metadata/name"));
    }

    @Test
    void recognisesTheRefusalOfABudgetAndAnotherPodOfThatName() {
        var refused = Samples.json("""
            {"code":429,"details":{"causes":[{"reason":"DisruptionBudget","message":"The disruption budget db needs 1"}]}}\
            """);
        assertThat(EvictionObjects.refusalOfBudget(refused)).contains("The disruption budget db needs 1");
        assertThat(EvictionObjects.refusalOfBudget(Samples.json("{\"code\":429}")))
                .isEmpty();
        assertThat(EvictionObjects.isOfAnother(
                        REQUEST, Samples.json("{\"message\":\"the UID in the precondition (u-low) does not match\"}")))
                .isTrue();
        assertThat(EvictionObjects.isOfAnother(REQUEST, Samples.json("{\"message\":\"the object has been modified\"}")))
                .isFalse();
    }

    @Test
    void writesANodeAndTakesItBack() {
        assertThat(Samples.json(EvictionObjects.nominated(new NominateNode("u", "ns", "p", "n")))
                        .at("/status/nominatedNodeName")
                        .asText())
                .isEqualTo("n");
        assertThat(Samples.json(EvictionObjects.nominated(new NominateNode("u", "ns", "p", "")))
                        .at("/status/nominatedNodeName")
                        .isNull())
                .isTrue();
    }
}
