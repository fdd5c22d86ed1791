package io.sluice.placement.core.zones;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.devices.NodeDevices;
import io.sluice.devices.NodeZones;
import io.sluice.devices.NodeZones.Policy;
import io.sluice.devices.PodFingerprint;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneFit;
import io.sluice.devices.ZoneRequest;
import io.sluice.units.FixedAmounts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where pods are aligned to NUMA zones, by the sums of the zones alone. */
class ZonesTest {
    private static final NodeZones A = single(zone(0, 3, 1, 2), zone(1, 3, 2, 1));
    private static final NodeZones B = single(
            new Zone(0, amounts(Map.of("cpu", 3_000L, "a", 3L))), new Zone(1, amounts(Map.of("cpu", 3_000L, "b", 3L))));

    private static Zone zone(int id, long cpus, long a, long b) {
        return new Zone(id, amounts(Map.of("cpu", 1_000 * cpus, "a", a, "b", b)));
    }

    private static Zone cpus(int id, long cpus) {
        return new Zone(id, cpu(cpus));
    }

    private static NodeZones single(Zone... zones) {
        return node(Policy.SINGLE_ZONE, false, List.of(zones));
    }

    private static NodeZones node(Policy policy, boolean byPod, List<Zone> zones) {
        return new NodeZones(policy, byPod, NodeZones.ZONES_MAX, 1, "", zones);
    }

    private static FixedAmounts amounts(Map<String, Long> amounts) {
        return FixedAmounts.of(amounts);
    }

    private static FixedAmounts cpu(long cpus) {
        return amounts(Map.of("cpu", 1_000 * cpus));
    }

    private static ZoneRequest guaranteed(FixedAmounts... containers) {
        return new ZoneRequest(List.of(containers), List.of());
    }

    @Test
    @DisplayName("AT-N1: all resources of a container come from one zone")
    void alignsContainers() {
        var pod = guaranteed(amounts(Map.of("cpu", 1_000L, "a", 1L, "b", 1L)));

        assertThat(ZoneFit.zones(B, pod)).isEmpty();
        assertThat(ZoneFit.zones(A, pod)).contains(List.of(List.of(0)));
        assertThat(ZoneScore.LEAST_ALLOCATED.score(A, pod)).isEqualTo(38);
        assertThat(ZoneScore.MOST_ALLOCATED.score(A, pod)).isEqualTo(61);
    }

    @Test
    @DisplayName("AT-N2: what a container takes is gone for the next one")
    void subtracts() {
        var node = single(cpus(0, 4), cpus(1, 4));

        assertThat(ZoneFit.zones(node, guaranteed(cpu(3), cpu(3), cpu(3)))).isEmpty();
        assertThat(ZoneFit.zones(node, guaranteed(cpu(3), cpu(3)))).contains(List.of(List.of(0), List.of(1)));
        assertThat(ZoneFit.zones(node(Policy.SINGLE_ZONE, true, node.zones()), guaranteed(cpu(3), cpu(3))))
                .as("a pod as a whole")
                .isEmpty();
    }

    private static Zone near(int id, long cpus, Map<Integer, Integer> distances) {
        return new Zone(id, cpu(4), cpu(cpus), distances);
    }

    @Test
    @DisplayName("AT-N5: fewer zones are better, and nearer ones")
    void prefersFewZones() {
        var known = Map.of(0, 10, 1, 20);
        var one = single(near(0, 4, known), near(1, 4, Map.of(1, 10, 0, 20)));
        assertThat(ZoneScore.FEWEST_ZONES.score(one, guaranteed(cpu(4)))).isEqualTo(94);

        var far = single(near(0, 0, known), near(1, 4, Map.of()));
        assertThat(ZoneScore.FEWEST_ZONES.score(far, guaranteed(cpu(4)))).isEqualTo(88);

        assertThat(ZoneScore.FEWEST_ZONES.score(one, guaranteed(cpu(8)))).isEqualTo(82);
    }

    @Test
    @DisplayName("AT-N6: one resource is balanced, and numbers of zones may have gaps")
    void balancesOneResource() {
        var node = single(cpus(0, 4), cpus(2, 4));

        assertThat(ZoneScore.BALANCED.score(node, guaranteed(cpu(1)))).isEqualTo(100);
        assertThat(ZoneFit.zones(node, guaranteed(cpu(4), cpu(4)))).contains(List.of(List.of(0), List.of(2)));
    }

    @Test
    void restrictedTakesAsFewZonesAsCouldEverHoldIt() {
        var node = node(Policy.RESTRICTED, false, List.of(near(0, 1, Map.of()), near(1, 4, Map.of())));

        assertThat(ZoneFit.zones(node, guaranteed(cpu(4)))).contains(List.of(List.of(1)));
        assertThat(ZoneFit.zones(node, guaranteed(cpu(5)))).contains(List.of(List.of(0, 1)));
        assertThat(ZoneFit.zones(node, guaranteed(cpu(3), cpu(2))))
                .as("two are left, and not in one zone")
                .isEmpty();
    }

    @Test
    void resourcesOfNoZoneNeedNone() {
        var node = single(cpus(0, 4));
        var storage = guaranteed(amounts(Map.of("storage", 7L)));

        assertThat(ZoneFit.zones(node, storage)).isPresent();
        assertThat(ZoneScore.LEAST_ALLOCATED.score(node, storage)).isEqualTo(100);
    }

    /** Containers of the start run one after the other, and before the others. */
    @Test
    void whatRunsFirstIsCheckedAlone() {
        var node = single(cpus(0, 4), cpus(1, 2));

        assertThat(ZoneFit.zones(node, new ZoneRequest(List.of(cpu(3)), List.of(cpu(4), cpu(4)))))
                .contains(List.of(List.of(0)));
        assertThat(ZoneFit.zones(node, new ZoneRequest(List.of(cpu(1)), List.of(cpu(5)))))
                .isEmpty();
    }

    @Test
    void theRequestIsPartOfThePodsAmounts() {
        var request = new ZoneRequest(List.of(cpu(3), cpu(1)), List.of(cpu(4)));
        var pod = request.kinds().plus(amounts(Map.of(FixedAmounts.PODS, 1L)));

        assertThat(ZoneRequest.of(pod)).isEqualTo(request);
        assertThat(NodeDevices.NONE.counted(pod, FixedAmounts.NONE)).isEqualTo(amounts(Map.of(FixedAmounts.PODS, 1L)));
    }

    /** The one that the exporter's library computes for these pods. */
    @Test
    void fingerprintsAreThoseOfTheExporter() {
        assertThat(PodFingerprint.of(List.of(
                        Map.entry("ns3", "n2"),
                        Map.entry("ns1", "n1"),
                        Map.entry("ns1", "n2"),
                        Map.entry("ns3", "n1"),
                        Map.entry("ns2", "n1"))))
                .isEqualTo("pfp0v001b92008c14168b3a6");
    }
}
