package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.UnschedulablePod;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class UnschedulableObjectsTest {
    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.789Z");
    private static final UnschedulablePod REPORT =
            new UnschedulablePod("u", "ns", "p", "own", "0/1 nodes are available");

    private static JsonNode pod(String status, String message) {
        return Samples.json("{\"status\":{\"conditions\":[{\"type\":\"PodScheduled\",\"status\":\"" + status
                + "\",\"message\":\"" + message + "\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]}}");
    }

    private static JsonNode condition(JsonNode pod) {
        return Samples.json(UnschedulableObjects.status(REPORT, pod, NOW)).at("/status/conditions/0");
    }

    @Test
    void writesTheConditionThatNodeAutoscalersRead() {
        var condition = condition(Samples.json("{}"));
        assertThat(condition.path("type").asText()).isEqualTo("PodScheduled");
        assertThat(condition.path("status").asText()).isEqualTo("False");
        assertThat(condition.path("reason").asText()).isEqualTo("Unschedulable");
        assertThat(condition.path("message").asText()).isEqualTo(REPORT.reason());
        assertThat(condition.path("lastTransitionTime").asText()).isEqualTo("2026-02-03T04:05:06Z");
    }

    @Test
    void keepsTheTimeSinceWhichAPodWaits() {
        assertThat(condition(pod("False", "before")).path("lastTransitionTime").asText())
                .isEqualTo("2026-01-01T00:00:00Z");
        assertThat(condition(pod("True", "before")).path("lastTransitionTime").asText())
                .isEqualTo("2026-02-03T04:05:06Z");
    }

    @Test
    void recognisesAReasonThatIsWrittenAlready() {
        assertThat(UnschedulableObjects.isReported(REPORT, pod("False", REPORT.reason())))
                .isTrue();
        assertThat(UnschedulableObjects.isReported(REPORT, pod("False", "another")))
                .isFalse();
        assertThat(UnschedulableObjects.isReported(REPORT, pod("True", REPORT.reason())))
                .isFalse();
        assertThat(UnschedulableObjects.isReported(REPORT, Samples.json("{}"))).isFalse();
    }

    @Test
    void namesAnEventByItsPodAndReason() {
        var event = Samples.json(UnschedulableObjects.event(REPORT, NOW));
        assertThat(event.path("reason").asText()).isEqualTo("FailedScheduling");
        assertThat(event.at("/involvedObject/uid").asText()).isEqualTo("u");
        assertThat(event.at("/source/component").asText()).isEqualTo("own");
        assertThat(event.at("/metadata/name").asText())
                .isEqualTo(Samples.json(UnschedulableObjects.event(REPORT, NOW.plusSeconds(9)))
                        .at("/metadata/name")
                        .asText());
    }
}
