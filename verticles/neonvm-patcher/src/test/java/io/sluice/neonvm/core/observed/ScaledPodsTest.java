package io.sluice.neonvm.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScaledPodsTest {
    private static final long MI = 1 << 20;
    private static final String LABEL = "\"autoscaling.sluice.io/enabled\":\"true\"";
    private static final String BOUNDS =
            "{\\\"min\\\":{\\\"cpu\\\":\\\"100m\\\",\\\"mem\\\":\\\"64Mi\\\"},\\\"max\\\":{\\\"cpu\\\":1,\\\"mem\\\":\\\"1Gi\\\"}}";

    private final ScaledPods pods = new ScaledPods(true);

    @Test
    void aLabelledPodIsAVmWithTheBoundsOfItsContainerAndAllBesideIt() {
        var vm = changed(pod(1, LABEL, BOUNDS, "")).orElseThrow();
        assertThat(vm.vm().driver()).isEqualTo("pod");
        assertThat(vm.pod()).isEqualTo(vm.vm().uid()).isEqualTo("u");
        assertThat(vm.autoscaled()).isTrue();
        assertThat(vm.migratable()).isFalse();
        assertThat(vm.sizes().min()).isEqualTo(new Resources(150, 96 * MI));
        assertThat(vm.sizes().max()).isEqualTo(new Resources(1_050, 1_056 * MI));
        assertThat(vm.sizes().spec()).isEqualTo(new Resources(250, 160 * MI));
    }

    /** A resize that the kubelet has not applied counts at the larger size, and shows no goal as reached. */
    @Test
    void countsAtTheMostOfWhatIsSpecifiedAllocatedAndActual() {
        var vm = changed(pod(1, LABEL, BOUNDS, "")).orElseThrow();
        assertThat(vm.sizes().status()).contains(new Resources(350, 288 * MI));
        assertThat(vm.sizes().inUse()).isEqualTo(new Resources(350, 288 * MI));
        assertThat(vm.currentRevision()).isEmpty();
    }

    @Test
    void invalidBoundsKeepTheLastValidOnes() {
        changed(pod(1, LABEL, BOUNDS, ""));
        var vm = changed(pod(2, LABEL, "{}", "")).orElseThrow();
        assertThat(vm.sizes().max()).isEqualTo(new Resources(1_050, 1_056 * MI));
        assertThat(vm.traits().complaints()).singleElement().asString().contains("the last valid one stays in force");
    }

    @Test
    void withoutBoundsItKeepsItsSizeAndARefusedSizeIsNoMaximum() {
        var vm = changed(pod(1, LABEL, "", "")).orElseThrow();
        assertThat(vm.sizes().min()).isEqualTo(vm.sizes().max()).isEqualTo(new Resources(250, 160 * MI));

        var limit = "{\\\"most\\\":{\\\"cpu\\\":\\\"400m\\\",\\\"mem\\\":\\\"1Ti\\\"},"
                + "\\\"until\\\":\\\"2026-01-01T00:00:00Z\\\",\\\"reason\\\":\\\"no CPU\\\"}";
        var limited = changed(pod(2, LABEL, BOUNDS, limit)).orElseThrow();
        assertThat(limited.sizes().max()).isEqualTo(new Resources(400, 1_056 * MI));
        assertThat(limited.traits().complaints()).contains("no CPU");
    }

    @Test
    void itsMonitorIsItsDriverUnlessAnAnnotationNamesAPortOfItsOwn() {
        var driver = new Endpoint("10.0.0.9", 10_250, "/metrics/resource");
        assertThat(monitored(1, "").monitor()).contains(driver);
        assertThat(monitored(2, "10301").monitor()).contains(new Endpoint("10.1.0.7", 10_301, "/monitor"));
        assertThat(monitored(3, "9400/m").monitor()).contains(new Endpoint("10.1.0.7", 9_400, "/m"));

        var invalid = monitored(4, "monitor");
        assertThat(invalid.monitor()).contains(new Endpoint("10.1.0.7", 9_400, "/m"));
        assertThat(invalid.traits().complaints())
                .contains("autoscaling.sluice.io/monitor: it must be a port from 1 to 65535, or port/path, not"
                        + " 'monitor'; the last valid one stays in force");
        assertThat(monitored(5, "").monitor()).contains(driver);
    }

    private VmObserved monitored(long version, String monitor) {
        var pod = (ObjectNode) pod(version, LABEL, BOUNDS, "");
        pod.withObject("/metadata/annotations").put("autoscaling.sluice.io/monitor", monitor);
        pod.withObject("/status").put("hostIP", "10.0.0.9").put("podIP", "10.1.0.7");
        return changed(pod).orElseThrow();
    }

    @Test
    void aPodWithoutTheLabelIsNoVmAndOneThatLosesItIsScaledNoMore() {
        assertThat(changed(pod(1, "", BOUNDS, ""))).isEmpty();
        assertThat(changed(pod(2, LABEL, BOUNDS, "")).orElseThrow().autoscaled())
                .isTrue();
        assertThat(changed(pod(3, "", BOUNDS, "")).orElseThrow().autoscaled()).isFalse();
        assertThat(new ScaledPods(false).changed(pod(4, LABEL, BOUNDS, ""))).isEmpty();
    }

    /** Another process with the role has not observed the label; the ledger still has the pod at its maximum. */
    @Test
    void aPodThatARunnerHasClaimedStaysAVmForProcessesThatBeginLater() {
        var claimed = claimed(pod(5, "", BOUNDS, ""));
        assertThat(changed(claimed).orElseThrow().autoscaled()).isFalse();
        var runnerPod = claimed(pod(6, "\"vm.neon.tech/name\":\"vm-1\"", BOUNDS, ""));
        assertThat(new ScaledPods(true).changed(runnerPod)).isEmpty();
    }

    /** The goal is written before the resize for it, while the pod has its former size. */
    @Test
    void aGoalIsReachedOnceItsResizeIs() {
        var settled = (ObjectNode) pod(1, LABEL, BOUNDS, "");
        settled.withObject("/status").putArray("conditions");
        ((ObjectNode) settled.at("/status/containerStatuses/0"))
                .set("resources", settled.at("/spec/containers/0/resources"));
        assertThat(changed(settled.deepCopy()).orElseThrow().currentRevision()).contains(new Revision(5, 1));

        settled.withObject("/metadata").put("resourceVersion", "2");
        settled.withObject("/metadata/annotations").put("internal.autoscaling.sluice.io/revision", "6/1/5");
        assertThat(changed(settled).orElseThrow().currentRevision()).isEmpty();
    }

    private static JsonNode claimed(JsonNode pod) {
        ((ObjectNode) pod).withObject("/metadata/annotations").put("internal.autoscaling.sluice.io/fence", "r+4/0");
        return pod;
    }

    @Test
    void aFullListEndsWhatItLacks() {
        changed(pod(1, LABEL, BOUNDS, ""));
        pods.beginList();
        assertThat(pods.listed(9)).singleElement().isInstanceOf(Observation.VmWent.class);
        assertThat(pods.find("u")).isEmpty();
    }

    private Optional<VmObserved> changed(JsonNode pod) {
        return pods.changed(pod).stream()
                .map(Observation.VmCame.class::cast)
                .map(Observation.VmCame::observed)
                .findFirst();
    }

    private static JsonNode pod(long version, String labels, String bounds, String limit) {
        var annotations = List.of(
                bounds.isEmpty() ? "\"a\":\"\"" : "\"autoscaling.sluice.io/bounds\":\"" + bounds + "\"",
                limit.isEmpty() ? "\"b\":\"\"" : "\"internal.autoscaling.sluice.io/limit\":\"" + limit + "\"");
        try {
            return new ObjectMapper().readTree("""
                {"metadata":{"namespace":"ns","name":"p","uid":"u","resourceVersion":"%d","generation":4,
                   "labels":{%s},"annotations":{%s,"internal.autoscaling.sluice.io/revision":"5/1/4"}},
                 "spec":{"nodeName":"n","containers":[
                   {"name":"main","resources":{"requests":{"cpu":"200m","memory":"128Mi"},
                     "limits":{"cpu":"400m","memory":"256Mi"}}},
                   {"name":"side","resources":{"requests":{"cpu":"50m","memory":"32Mi"}}}]},
                 "status":{"phase":"Running","qosClass":"Burstable","observedGeneration":4,
                   "conditions":[{"type":"PodResizeInProgress","status":"True"}],
                   "containerStatuses":[{"name":"main","allocatedResources":{"cpu":"200m","memory":"128Mi"},
                     "resources":{"requests":{"cpu":"300m","memory":"128Mi"},
                       "limits":{"cpu":"600m","memory":"512Mi"}}}]}}\
                """.formatted(version, labels, String.join(",", annotations)));
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(noJson);
        }
    }
}
