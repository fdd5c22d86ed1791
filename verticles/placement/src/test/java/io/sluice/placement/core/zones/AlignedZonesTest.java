package io.sluice.placement.core.zones;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.devices.Device;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.NodeDevices;
import io.sluice.devices.NodeZones;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneRequest;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.Given;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.devices.TypicalPods;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.rules.Cluster;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.shell.explain.PlacementReasons;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Nodes with NUMA zones, ranked for kube-scheduler and chosen by the own scheduler. */
class AlignedZonesTest {
    private static final NodeLedgerView A =
            node("a", FixedAmounts.NONE, zone(0, "cpu", 3_000, "x", 1, "y", 2), zone(1, "cpu", 3_000, "x", 2, "y", 1));
    private static final NodeLedgerView B =
            node("b", FixedAmounts.NONE, zone(0, "cpu", 3_000, "x", 3), zone(1, "cpu", 3_000, "y", 3));
    private static final FixedAmounts ONE_OF_EACH = amounts("cpu", 1_000, "x", 1, "y", 1);

    private static FixedAmounts amounts(Object... pairs) {
        var amounts = new HashMap<String, Long>();
        for (int i = 0; i < pairs.length; i += 2) {
            amounts.put((String) pairs[i], ((Number) pairs[i + 1]).longValue());
        }
        return FixedAmounts.of(amounts);
    }

    private static Zone zone(int id, Object... pairs) {
        return new Zone(id, amounts(pairs));
    }

    /** @param reserved of its zones */
    private static NodeLedgerView node(String name, FixedAmounts reserved, Zone... zones) {
        var known = new NodeZones(NodeZones.Policy.SINGLE_ZONE, false, 8, 1, "", List.of(zones));
        return Given.node(
                name,
                known.available().plus(amounts(FixedAmounts.PODS, 10)),
                reserved,
                new NodeDevices(GpuMode.WHOLE, List.of(), known));
    }

    private static PodToPlace pod(FixedAmounts... containers) {
        var fixed = new ZoneRequest(List.of(containers), List.of()).kinds().plus(amounts(FixedAmounts.PODS, 1));
        var pod = new PodObserved("p", "ns", "p", "", "", 1, Given.cpus(1), 0, "", fixed);
        return new PodToPlace(pod, Overcommit.OFF);
    }

    private static List<NodeRank> ranks(NodeRanking ranking, PodToPlace pod, NodeLedgerView... nodes) {
        var table = new NodeTable();
        Arrays.stream(nodes).forEach(table::observed);
        return ranking.rank(pod, Arrays.stream(nodes).map(NodeLedgerView::node).toList(), table, Optional.empty());
    }

    private static NodeRanking configured() {
        return new NodeRanking(PlacementConfig.DEFAULTS.plugins(PlacementConfig.DEFAULTS.share(), new TypicalPods()));
    }

    private static Cluster cluster(NodeLedgerView... nodes) {
        var cluster = new Cluster();
        for (var node : nodes) {
            cluster.node(node.node(), "");
            cluster.table.observed(NodeSnapshot.of(node));
        }
        return cluster;
    }

    private static PendingPod pending(PodToPlace pod) {
        return new PendingPod(
                Cluster.pod("new", ""),
                pod.charge(),
                GpuDemand.NONE,
                ZoneRequest.of(pod.pod().fixed()));
    }

    @Test
    @DisplayName("AT-N1: a node without one zone for all of a container is excluded, with the numbers")
    void excludesNodesThatCannotAlign() {
        var ranks = ranks(configured(), pod(ONE_OF_EACH), A, B);
        assertThat(ranks.get(0).fits()).isTrue();
        assertThat(PlacementReasons.of(ranks.subList(1, 2)).summary())
                .isEqualTo(
                        "0/1 nodes: 1 with no NUMA zone: NUMA_NO_ZONE(max free cpu=3000, max free x=3, max free y=3)");

        assertThat(ranks(new NodeRanking(List.of(new AlignedZones(ZoneScore.LEAST_ALLOCATED))), pod(ONE_OF_EACH), A)
                        .getFirst()
                        .score())
                .isEqualTo(38);
        assertThat(ranks(new NodeRanking(List.of(new AlignedZones(ZoneScore.MOST_ALLOCATED))), pod(ONE_OF_EACH), A)
                        .getFirst()
                        .score())
                .isEqualTo(61);
    }

    @Test
    @DisplayName("AT-N4: a pod waits while another one counts in each zone, through both entrances")
    void waitsForAReport() {
        var four = amounts("cpu", 4_000);
        var zones = new Zone[] {zone(0, "cpu", 4_000), zone(1, "cpu", 4_000)};
        var empty = node("n", FixedAmounts.NONE, zones);
        var taken = NodeSnapshot.of(empty).holding(pod(four), List.of()).fixedReserved();
        var held = node("n", taken, zones);

        assertThat(taken.of(Zone.kind(0, "cpu"))).isEqualTo(4_000);
        assertThat(taken.of(Zone.kind(1, "cpu"))).isEqualTo(4_000);
        assertThat(ranks(configured(), pod(four), empty).getFirst().fits()).isTrue();
        assertThat(PlacementReasons.of(ranks(configured(), pod(four), held)).summary())
                .isEqualTo("0/1 nodes: 1 with no NUMA zone: NUMA_PESSIMISTIC(max free cpu=0)");
        assertThat(SchedulingRules.withLedger().reason(pending(pod(four)), cluster(held).table))
                .isEqualTo("0/1 nodes are available: 1 with no NUMA zone: NUMA_PESSIMISTIC(max free cpu=0)");
    }

    @Test
    @DisplayName("N5: a node whose GPUs are in no zone with room is excluded, through both entrances")
    void gpusAreInAZoneWithRoom() {
        var share = new GpuRequest(0, "alnair", 1, GpuRequest.Amounts.share(500, 0), GpuRequest.Selector.ANY);
        var two = pod(amounts("cpu", 2_000)).pod();
        var pod = new PodToPlace(two.with(GpuDemand.of(List.of(share))), Overcommit.OFF);
        var beside = withGpu("beside", 1);
        var apart = withGpu("apart", 0);

        var ranks = ranks(configured(), pod, beside, apart);
        assertThat(ranks.get(0).fits()).isTrue();
        assertThat(PlacementReasons.of(ranks.subList(1, 2)).summary())
                .isEqualTo("0/1 nodes: 1 with no NUMA zone: NUMA_NO_ZONE(zones with room=[1], with GPUs=[0])");
        var pending = new PendingPod(
                Cluster.pod("new", ""),
                pod.charge(),
                pod.pod().gpus(),
                pending(pod).zones());
        assertThat(SchedulingRules.withLedger()
                        .fitting(pending, cluster(beside).table)
                        .isEmpty())
                .isFalse();
        assertThat(SchedulingRules.withLedger().reason(pending, cluster(apart).table))
                .isEqualTo("0/1 nodes are available: 1 with no NUMA zone:"
                        + " NUMA_NO_ZONE(zones with room=[1], with GPUs=[0])");
    }

    /** A node with a GPU in a zone, and room for more than a CPU in zone 1 alone. */
    private static NodeLedgerView withGpu(String name, int zone) {
        var gpu = new Device("gpu", 0, "T4", 1_000, Device.WHOLE_CORE, true, Optional.of(zone), Map.of());
        var zones = List.of(zone(0, "cpu", 1_000), zone(1, "cpu", 4_000));
        var node = new NodeDevices(
                GpuMode.SHARED, List.of(gpu), new NodeZones(NodeZones.Policy.SINGLE_ZONE, false, 8, 1, "", zones));
        var total = node.totals().plus(node.zones().available()).plus(amounts(FixedAmounts.PODS, 10));
        return Given.node(name, total, FixedAmounts.NONE, node);
    }

    @Test
    void theOwnSchedulerChoosesTheEmptierZones() {
        var zones = new ArrayList<NodeLedgerView>();
        zones.add(node("a", FixedAmounts.of(Map.of(Zone.kind(0, "cpu"), 2_000L)), zone(0, "cpu", 4_000)));
        zones.add(node("b", FixedAmounts.NONE, zone(0, "cpu", 4_000)));
        var table = cluster(zones.toArray(NodeLedgerView[]::new)).table;
        var one = pending(pod(amounts("cpu", 1_000)));
        var fitting = SchedulingRules.withLedger().fitting(one, table);

        assertThat(table.name(SchedulingRules.best(one, table, fitting, PlacementConfig.DEFAULTS.share())))
                .isEqualTo("b");
        assertThat(SchedulingRules.withLedger()
                        .fitting(pending(pod(amounts("cpu", 5_000))), table)
                        .isEmpty())
                .isTrue();
    }

    @Test
    void podsThatAreNotAlignedHaveNoScore() {
        var pod = pod();
        assertThat(new AlignedZones(ZoneScore.BALANCED).score(pod, NodeSnapshot.of(A), Resources.NONE))
                .isEmpty();
        assertThat(ranks(configured(), pod, A, B)).allMatch(NodeRank::fits);
    }
}
