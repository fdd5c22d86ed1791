package io.sluice.neonvm.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.messages.worker.InstancePods;
import io.sluice.neonvm.core.objects.KubernetesJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstancePodReaderTest {
    private static final String METADATA = """
        "name": "a-2", "uid": "u", "annotations": {"autoscaling.sluice.io/instance": "a",
          "autoscaling.sluice.io/instance-generation": "2"}\
        """;

    private static InstancePods.Pod read(String metadata, String status) throws JsonProcessingException {
        var pods = InstancePodReader.all(KubernetesJson.MAPPER.readTree("""
            {"items": [{"metadata": {%s}, "spec": {"nodeName": "n"}, "status": %s}, {"metadata": {"name": "other"}}]}\
            """.formatted(metadata, status)));
        assertThat(pods).hasSize(1);
        return pods.getFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "Pending, false, STARTING",
        "Running, false, RUNNING",
        "Running, true, ENDING",
        "Pending, true, ENDING",
        "Succeeded, true, SUCCEEDED",
        "Failed, false, FAILED",
        "'', false, STARTING"
    })
    void readsHowFarItIs(String phase, boolean deleted, InstancePods.Phase expected) throws JsonProcessingException {
        var metadata = METADATA + (deleted ? ", \"deletionTimestamp\": \"2026-11-26T00:00:00Z\"" : "");
        assertThat(read(metadata, "{\"phase\": \"" + phase + "\"}").phase()).isEqualTo(expected);
    }

    @Test
    void readsWhyItEnded() throws JsonProcessingException {
        assertThat(read(METADATA, """
            {"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}]}\
            """))
                .isEqualTo(new InstancePods.Pod("a-2", "u", "n", "a", 2, InstancePods.Phase.FAILED, "OOMKilled", 137));
        assertThat(read(METADATA, "{\"phase\": \"Failed\", \"reason\": \"OutOfcpu\"}")
                        .reason())
                .isEqualTo("OutOfcpu");
    }

    @Test
    void aRepeatIsOfTheSameStartOnTheSameNode() throws JsonProcessingException {
        var pod = KubernetesJson.MAPPER.readTree("{\"metadata\": {" + METADATA + "}, \"spec\": {\"nodeName\": \"n\"}}");
        var moved =
                KubernetesJson.MAPPER.readTree("{\"metadata\": {" + METADATA + "}, \"spec\": {\"nodeName\": \"m\"}}");
        assertThat(InstancePodReader.isSame(pod, pod)).isTrue();
        assertThat(InstancePodReader.isSame(pod, moved)).isFalse();
        assertThat(InstancePodReader.isSame(pod, KubernetesJson.MAPPER.createObjectNode()))
                .isFalse();
    }
}
