package io.sluice.neonvm.core.gpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.devices.GpuGrant;
import io.sluice.devices.GpuMode;
import io.sluice.devices.NodeZones;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneFit;
import io.sluice.devices.ZoneRequest;
import io.sluice.neonvm.core.objects.PodReader;
import io.sluice.units.FixedAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What exporters write of NUMA zones, and what pods request of them. */
class ZoneObjectsTest {
    private static final String TOPOLOGY = """
        {"metadata":{"name":"n1","resourceVersion":"42"},
         "attributes":[{"name":"topologyManagerPolicy","value":"single-numa-node"},
                       {"name":"topologyManagerScope","value":"pod"},
                       {"name":"nodeTopologyPodsFingerprint","value":"pfp0v001b92008c14168b3a6"}],
         "zones":[{"name":"node-0","type":"Node","costs":[{"name":"node-0","value":10},{"name":"node-2","value":20}],
                   "resources":[{"name":"cpu","capacity":"5","allocatable":"4","available":"1500m"},
                                {"name":"memory","capacity":"2Gi","allocatable":"1Gi","available":"512Mi"}]},
                  {"name":"node-2","type":"Node","resources":[{"name":"cpu","allocatable":"4","available":"4"}]},
                  {"name":"numa-node-3","type":"Node"},
                  {"name":"socket-0","type":"Socket"}]}
        """;

    private static final String POD = """
        {"metadata":{"uid":"u","namespace":"ns","name":"p","resourceVersion":"7","creationTimestamp":"2024-01-01T00:00:00Z"},
         "spec":{"initContainers":[{"resources":{"requests":{"cpu":"1"}}}],
                 "containers":[{"resources":{"requests":{"cpu":"3","memory":"1Gi","example.com/nic":"1"}}},
                               {"resources":{"requests":{"cpu":"3","ephemeral-storage":"1Gi"}}}]},
         "status":{"phase":"Pending","qosClass":"%s"}}
        """;

    private static JsonNode json(String text) {
        try {
            return GpuKeys.MAPPER.readTree(text);
        } catch (com.fasterxml.jackson.core.JsonProcessingException noJson) {
            throw new IllegalArgumentException(noJson);
        }
    }

    private static FixedAmounts amounts(Map<String, Long> amounts) {
        return FixedAmounts.of(amounts);
    }

    private static ZoneRequest request(String qosClass, boolean read) {
        var observed = PodReader.read(json(POD.formatted(qosClass)), read).observed();
        assertThat(observed.fixed().of(FixedAmounts.PODS)).isEqualTo(1);
        return ZoneRequest.of(observed.fixed());
    }

    @Test
    void readsWhatTheExporterWrites() {
        var complaints = new ArrayList<String>();
        var read = ZoneObjects.zones(json(TOPOLOGY), 42, complaints);

        assertThat(read)
                .isEqualTo(new NodeZones(
                        NodeZones.Policy.SINGLE_ZONE,
                        true,
                        8,
                        42,
                        "pfp0v001b92008c14168b3a6",
                        List.of(
                                new Zone(
                                        0,
                                        amounts(Map.of("cpu", 4_000L, "memory", 1L << 30)),
                                        amounts(Map.of("cpu", 1_500L, "memory", 1L << 29)),
                                        Map.of(0, 10, 2, 20)),
                                new Zone(2, amounts(Map.of("cpu", 4_000L))))));
        assertThat(complaints).containsExactly("zone numa-node-3 is not named node-NUMBER");
    }

    @Test
    void readsThePolicyOfOldExportersToo() {
        var old =
                ZoneObjects.zones(json("{'topologyPolicies':['RestrictedPodLevel']}".replace('\'', '"')), 1, List.of());
        assertThat(old.policy()).isEqualTo(NodeZones.Policy.RESTRICTED);
        assertThat(old.byPod()).isTrue();
    }

    @Test
    void alignsContainersOfGuaranteedPods() {
        var three = amounts(Map.of("cpu", 3_000L, "memory", 1L << 30, "example.com/nic", 1L));
        assertThat(request("Guaranteed", true))
                .isEqualTo(new ZoneRequest(
                        List.of(three, amounts(Map.of("cpu", 3_000L))), List.of(amounts(Map.of("cpu", 1_000L)))));
        assertThat(request("Guaranteed", false).isNone()).isTrue();
    }

    @Test
    @DisplayName("AT-N3: CPU of a burstable pod is not aligned")
    void alignsGuaranteedPodsAlone() {
        var node = new NodeZones(
                NodeZones.Policy.SINGLE_ZONE, false, 8, 1, "", List.of(new Zone(0, amounts(Map.of("cpu", 2_000L)))));

        assertThat(ZoneFit.zones(node, request("Guaranteed", true))).isEmpty();
        assertThat(ZoneFit.zones(node, request("Burstable", true))).isPresent();
        assertThat(request("Burstable", true).containers())
                .as("other resources are, of any pod")
                .containsExactly(amounts(Map.of("example.com/nic", 1L)));
    }

    @Test
    void theBindingNamesTheZones() {
        assertThat(GpuObjects.annotations("n1", new GpuGrant(GpuMode.WHOLE, List.of(), List.of(0, 2)), 0))
                .isEqualTo(Map.of("autoscaling.sluice.io/numa", "{\"zones\":[0,2],\"exact\":false}"));
        assertThat(GpuObjects.annotations("n1", new GpuGrant(GpuMode.WHOLE, List.of(), List.of(1)), 0))
                .containsValue("{\"zones\":[1],\"exact\":true}");
    }
}
