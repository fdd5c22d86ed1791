package io.sluice.placement.core.zones;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.placement.core.zones.Topology.Policy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where pods are aligned to NUMA zones, by the sums of the zones alone. */
class ZonesTest {
    private static final Topology A = single(zone(0, 3, 1, 2), zone(1, 3, 2, 1));
    private static final Topology B = single(
            new Zone(0, Map.of("cpu", 3_000L, "a", 3L, "b", 0L)), new Zone(1, Map.of("cpu", 3_000L, "a", 0L, "b", 3L)));

    private static Zone zone(int id, long cpus, long a, long b) {
        return new Zone(id, Map.of("cpu", 1_000 * cpus, "a", a, "b", b));
    }

    private static Zone cpus(int id, long cpus) {
        return new Zone(id, Map.of("cpu", 1_000 * cpus));
    }

    private static Topology single(Zone... zones) {
        return new Topology(Policy.SINGLE_ZONE, false, List.of(zones));
    }

    private static Map<String, Long> cpu(long cpus) {
        return Map.of("cpu", 1_000 * cpus);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static ZoneRequest guaranteed(Map<String, Long>... containers) {
        return new ZoneRequest(true, List.of(containers));
    }

    @Test
    @DisplayName("AT-N1: all resources of a container come from one zone")
    void alignsContainers() {
        var pod = guaranteed(Map.of("cpu", 1_000L, "a", 1L, "b", 1L));

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
        assertThat(ZoneFit.zones(new Topology(Policy.SINGLE_ZONE, true, node.zones()), guaranteed(cpu(3), cpu(3))))
                .as("a pod as a whole")
                .isEmpty();
    }

    @Test
    @DisplayName("AT-N3: CPU of a burstable pod is not aligned")
    void alignsGuaranteedPodsAlone() {
        var node = single(cpus(0, 4), cpus(1, 4));

        assertThat(ZoneFit.zones(node, new ZoneRequest(false, List.of(cpu(3), cpu(3), cpu(3)))))
                .isPresent();
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
        var node = new Topology(Policy.RESTRICTED, false, List.of(near(0, 1, Map.of()), near(1, 4, Map.of())));

        assertThat(ZoneFit.zones(node, guaranteed(cpu(4)))).contains(List.of(List.of(1)));
        assertThat(ZoneFit.zones(node, guaranteed(cpu(5)))).contains(List.of(List.of(0, 1)));
        assertThat(ZoneFit.zones(node, guaranteed(cpu(3), cpu(2))))
                .as("two are left, and not in one zone")
                .isEmpty();
    }

    @Test
    void resourcesOfNoZoneNeedNone() {
        var node = new Topology(Policy.SINGLE_ZONE, false, 8, Set.of("cpu", "storage"), List.of(cpus(0, 4)));

        assertThat(ZoneFit.zones(node, guaranteed(Map.of("storage", 7L)))).isPresent();
        assertThat(ZoneScore.LEAST_ALLOCATED.score(node, guaranteed(Map.of("storage", 7L))))
                .isEqualTo(100);
        assertThat(ZoneFit.zones(node, guaranteed(Map.of("unknown", 1L)))).isEmpty();
    }
}
