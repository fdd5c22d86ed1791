package io.sluice.kube.pods;

import static io.sluice.kube.pods.PodStage.MI;
import static io.sluice.kube.pods.PodStage.WITHIN;
import static io.sluice.kube.pods.PodStage.bounds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.messages.agent.Decision;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.units.Resources;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a pod's own monitor takes part as that of a VM does, beside the rules of the driver. Method: a real API server,
 * all roles that scale pods, and real websockets; the kubelet and the monitors are stand-ins, at the address on
 * loopback that the kubelet reports as that of each pod.
 */
@OnKubernetes
class PodMonitorsOnKubernetesTest {
    private static final String NODE = "node-m";
    private static final String TWICE = "\"cpu\":\"400m\",\"memory\":\"256Mi\"";

    @TempDir
    private static Path folder;

    private static ControlPlane plane;
    private static KubeletStandIn kubelet;
    private static PodStage stage;
    private MonitorStandIn monitor;

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.start(folder);
        var raw = new RawApi(KubernetesConnection.open(plane.admin()));
        kubelet = new KubeletStandIn(raw, NODE, folder);
        kubelet.createNode("4", "8Gi");
        stage = new PodStage(plane, plane.admin(), kubelet.samples.caFile);
    }

    @AfterAll
    static void stop() {
        stage.close();
        kubelet.close();
        plane.close();
    }

    @BeforeEach
    void listen() {
        monitor = new MonitorStandIn();
    }

    @AfterEach
    void end() {
        monitor.close();
    }

    @Test
    void aMonitorIsNotifiedOfMoreAndDecidesAboutLess() {
        monitor.isAgreeing = false;
        stage.create(
                NODE, "grows", "200m", "128Mi", TWICE, bounds("100m/64Mi", "1/512Mi") + "," + monitor.annotation());
        kubelet.works("grows", 0.8, 40 * MI);
        await().atMost(WITHIN).until(() -> monitor.granted.contains(512 * MI));
        assertThat(stage.requests("grows").memoryBytes())
                .as("before it is notified")
                .isEqualTo(512 * MI);

        kubelet.works("grows", 0.02, 40 * MI);
        await().atMost(WITHIN).until(() -> !denials("grows").isEmpty());
        assertThat(denials("grows").getFirst().reason()).contains("it is the monitor's");
        assertThat(stage.requests("grows").memoryBytes()).isEqualTo(512 * MI);

        monitor.isAgreeing = true;
        stage.awaitRequests("grows", new Resources(100, 64 * MI));
        assertThat(monitor.requested).contains(448 * MI, 64 * MI);
    }

    /** The working set does not fit into less than 300 MiB, whatever the monitor would agree to. */
    @Test
    void aMonitorIsNotRequestedForLessThanTheDriverAllows() {
        stage.create(
                NODE,
                "guards",
                "100m",
                "384Mi",
                "\"cpu\":\"200m\",\"memory\":\"384Mi\"",
                bounds("100m/64Mi", "100m/512Mi") + "," + monitor.annotation()
                        + ",\"autoscaling.sluice.io/config\":\"{\\\"memoryUsageFractionTarget\\\":0.99,\\\"memoryHeadroom\\\":0.2}\"");
        kubelet.works("guards", 0.05, 240 * MI);
        await().atMost(WITHIN).until(() -> !denials("guards").isEmpty());
        assertThat(denials("guards").getFirst().reason()).contains("its working set of 240Mi exceeds");
        stage.awaitRequests("guards", new Resources(100, 320 * MI));
        assertThat(monitor.requested).containsOnly(320 * MI);
    }

    @Test
    void aMonitorsOwnRequestForMemoryGrowsThePod() {
        stage.create(
                NODE, "requests", "200m", "128Mi", TWICE, bounds("200m/128Mi", "1/512Mi") + "," + monitor.annotation());
        kubelet.works("requests", 0.02, 40 * MI);
        await().atMost(WITHIN).until(() -> {
            monitor.requestMemory();
            return stage.requests("requests").memoryBytes() > 128 * MI;
        });
        // The first notification may name the size from before, where the runner was new.
        await().atMost(WITHIN).until(() -> monitor.granted.stream().anyMatch(size -> size != 128 * MI));
        assertThat(monitor.granted.stream().dropWhile(size -> size == 128 * MI).findFirst())
                .contains(192 * MI);
    }

    private static List<Decision> denials(String pod) {
        return stage.decisions.stream()
                .filter(decision ->
                        decision.vm().name().equals(pod) && decision.kind() == Decision.Kind.DOWNSCALE_DENIED)
                .toList();
    }
}
