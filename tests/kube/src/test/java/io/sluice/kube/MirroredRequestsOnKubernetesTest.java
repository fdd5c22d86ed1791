package io.sluice.kube;

import static io.sluice.kube.Vms.UNIT;
import static io.sluice.kube.Vms.node;
import static io.sluice.kube.Vms.units;
import static io.sluice.kube.Vms.vm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.shell.Quantities;
import io.sluice.units.Resources;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: with {@code vm.mirrorRequests} a real API server accepts that requests of runner pods follow the ledger, and
 * what the ledger counts does not follow the requests. Method: a VM works and rests; other pods have other QoS classes.
 * No kubelet runs, so the specs change and no status does.
 */
@OnKubernetes
class MirroredRequestsOnKubernetesTest {
    private static final String NODE = "node-m";
    private static final String SMALL = "\"requests\":{\"cpu\":\"100m\",\"memory\":\"100Mi\"}";
    private static final String LIMITS = "\"limits\":{\"cpu\":\"1\",\"memory\":\"4Gi\"}";

    /** What a VM uses that nobody scales. */
    private static final Resources STEADY = units(4);

    private static ControlPlane plane;
    private static KubeFleet fleet;
    private static RawApi raw;

    @BeforeAll
    static void start(@TempDir Path folder) {
        plane = ControlPlane.start(folder);
        fleet = KubeFleet.open(
                plane, Map.of("sluice.vm.mirrorRequests", "true"), node(NODE, 100, vm("example")), node("node-n", 100));
        raw = new RawApi(fleet.client());
    }

    @AfterAll
    static void stop() {
        fleet.close();
        plane.close();
    }

    @Test
    void requestsFollowTheReservationAndItDoesNotFollowThem() {
        fleet.settles("example", UNIT);
        awaitRequests("example-0", UNIT);

        fleet.work().compute("example", 3);
        fleet.settles("example", units(4));
        awaitRequests("example-0", units(4));
        assertThat(fleet.members("example"))
                .extracting(ReservationView::reserved)
                .containsExactly(units(4));
        assertThat(fleet.ledger(NODE).reserved()).isEqualTo(units(4));

        fleet.work().rest("example");
        fleet.settles("example", UNIT);
        awaitRequests("example-0", UNIT);
        assertThat(fleet.ledger(NODE, ledger -> ledger.reserved().equals(UNIT)).invariantsBroken())
                .isZero();
        assertThat(pod("example-0").at("/status/qosClass").asText()).isEqualTo("Burstable");
        fleet.auditsClean();
    }

    @Test
    void noPodGetsAnotherQosClass() {
        var guaranteed = steadyVm("guaranteed", SMALL.replace("requests", "limits"));
        var plain = steadyVm("plain", "");
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(fleet.gauge("sluice.vm.mirrored.pods", "state", "excluded"))
                        .isEqualTo(2));

        steadyVm("limited", SMALL + "," + LIMITS);
        awaitRequests("limited-0", new Resources(999, 4L << 30));

        assertThat(pod("limited-0").at("/status/qosClass").asText()).isEqualTo("Burstable");
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(fleet.gauge("sluice.vm.mirrored.pods", "state", "limited"))
                        .isOne());
        assertThat(pod("guaranteed-0")).isEqualTo(guaranteed);
        assertThat(pod("plain-0")).isEqualTo(plain);
        assertThat(fleet.ledger("node-n").reserved()).isEqualTo(STEADY.times(3));
    }

    /** Creates a VM of the size {@link #STEADY} that runs in a pod; returns the pod. */
    private static JsonNode steadyVm(String name, String resources) {
        var vm = created(Residents.VMS, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","metadata":{"name":"%s"},
             "spec":{"guest":{"cpus":{"min":"250m","max":4,"use":1},
               "memorySlots":{"min":1,"max":16,"use":4},"memorySlotSize":"1Gi"}}}\
            """.formatted(name));
        var made = created(Residents.PODS, """
            {"metadata":{"name":"%1$s-0","labels":{"vm.neon.tech/name":"%1$s"},
               "annotations":{"vm.neon.tech/usage":"{\\"cpu\\":1,\\"memory\\":\\"4Gi\\"}"},
               "ownerReferences":[{"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","name":"%1$s","uid":"%2$s",
                 "controller":true}]},
             "spec":{"nodeName":"node-n",
               "containers":[{"name":"neonvm-runner","image":"none","resources":{%3$s}}]}}\
            """.formatted(name, Residents.uid(vm), resources));
        raw.patch(Residents.VMS + "/" + name + "/status", Residents.MERGE, """
            {"status":{"phase":"Running","podName":"%s-0","podIP":"127.0.0.1","node":"node-n","cpus":1,
               "memorySize":"4Gi"}}\
            """.formatted(name));
        return made;
    }

    private static JsonNode created(String path, String object) {
        var made = raw.post(path, object);
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        return made.body();
    }

    private static void awaitRequests(String pod, Resources requests) {
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(requests(pod(pod))).isEqualTo(requests));
    }

    private static Resources requests(JsonNode pod) {
        var requests = pod.at("/spec/containers/0/resources/requests");
        return new Resources(
                Quantities.milliCpu(requests.path("cpu").asText()),
                Quantities.bytes(requests.path("memory").asText()));
    }

    private static JsonNode pod(String name) {
        return raw.get(Residents.PODS + "/" + name).body();
    }
}
