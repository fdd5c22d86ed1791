package io.sluice.placement.core.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.devices.Device;
import io.sluice.devices.DeviceSelection;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.GpuRequest.Amounts;
import io.sluice.devices.GpuRequest.Selector;
import io.sluice.devices.GpuScope;
import io.sluice.devices.GpuShare;
import io.sluice.devices.NodeDevices;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.Given;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.plugins.ReservedRoom;
import io.sluice.placement.core.rules.Cluster;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.zones.AlignedZones;
import io.sluice.shell.explain.PlacementReasons;
import io.sluice.units.FixedAmounts;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Nodes with GPUs, ranked for kube-scheduler and chosen by the own scheduler. */
class NodesWithGpusTest {
    private static final int MIB = 16_384;
    private static final NodeRanking BY_DEVICES =
            new NodeRanking(List.of(new ReservedRoom(), new FreeDevices(), DeviceFill.DEFAULT));

    /** A node of 10 CPUs with a device for each amount that is used. */
    private static NodeLedgerView node(String name, long... usedMiB) {
        var devices = IntStream.range(0, usedMiB.length)
                .mapToObj(minor -> new Device(name + "-" + minor, minor, "T4", MIB))
                .toList();
        var node = new NodeDevices(usedMiB.length > 0 ? GpuMode.SHARED : GpuMode.WHOLE, devices);
        var used = FixedAmounts.NONE;
        for (int minor = 0; minor < usedMiB.length; minor++) {
            used = used.plus(GpuShare.taken(List.of(new GpuShare(0, minor, name + "-" + minor, usedMiB[minor], 0))));
        }
        return Given.node(name, node.totals(), used, node);
    }

    private static PodToPlace pod(GpuRequest... requests) {
        return new PodToPlace(Given.pending("p", 1).with(GpuDemand.of(List.of(requests))), Overcommit.OFF);
    }

    private static GpuRequest share(long memoryMiB, boolean spread) {
        var selector = new Selector(List.of(), List.of(), GpuScope.NODE, false, spread);
        return new GpuRequest(0, "alnair", 1, Amounts.share(memoryMiB, 0), selector);
    }

    private static List<NodeRank> ranks(PodToPlace pod, NodeLedgerView... nodes) {
        var table = new NodeTable();
        Arrays.stream(nodes).forEach(table::observed);
        return BY_DEVICES.rank(
                pod, Arrays.stream(nodes).map(NodeLedgerView::node).toList(), table, Optional.empty());
    }

    private static List<Integer> scores(PodToPlace pod, NodeLedgerView... nodes) {
        return ranks(pod, nodes).stream().map(NodeRank::score).toList();
    }

    private static String chosen(PodToPlace pod, NodeLedgerView node) {
        return ((DeviceSelection.Chosen) FreeDevices.select(pod.pod().gpus(), NodeSnapshot.of(node)))
                .shares()
                .getFirst()
                .uuid();
    }

    @Test
    @DisplayName("AT-U1: the fuller device is packed, the emptier one spread")
    void packsAndSpreads() {
        var first = node("n1", 8_192, 0);
        var second = node("n2", 0);

        var packed = pod(share(4_096, false));
        assertThat(scores(packed, first, second)).containsExactly(75, 25);
        assertThat(chosen(packed, first)).isEqualTo("n1-0");

        var spread = pod(share(4_096, true));
        assertThat(scores(spread, first, second)).containsExactly(75, 75);
        assertThat(chosen(spread, first)).isEqualTo("n1-1");
    }

    @Test
    @DisplayName("AT-U10: a pod without GPUs prefers the node without")
    void keepsGpusFree() {
        var ranking = new NodeRanking(List.of(PlacementConfig.DEFAULTS.share(), DeviceFill.DEFAULT));
        var table = new NodeTable();
        table.observed(node("gpu", 0));
        table.observed(node("plain"));

        var ranks = ranking.rank(pod(), List.of("gpu", "plain"), table, Optional.empty());
        assertThat(ranks.get(1).score()).isGreaterThan(ranks.get(0).score());
        assertThat(best(pod(), node("gpu", 0), node("plain"))).isEqualTo("plain");
    }

    @Test
    void namesWhyNoNodeHasADevice() {
        var large = ranks(pod(share(MIB + 1, false)), node("n1", 8_192), node("n2", 0), node("n3"));
        assertThat(PlacementReasons.of(large).summary())
                .isEqualTo("0/3 nodes: 3 with no GPU: GPU_NO_DEVICE_FITS(max free MiB=16384)");

        var ambiguous = new PodToPlace(
                Given.pending("p", 1).with(new GpuDemand(List.of(), List.of(), "main: alnair and nvidia.com")),
                Overcommit.OFF);
        assertThat(PlacementReasons.of(ranks(ambiguous, node("n1", 0))).summary())
                .isEqualTo("0/1 nodes: 1 with no GPU: GPU_REQUEST_AMBIGUOUS(main: alnair and nvidia.com)");
    }

    private static Cluster cluster(NodeLedgerView... nodes) {
        var cluster = new Cluster();
        for (var node : nodes) {
            cluster.node(node.node(), "");
            cluster.table.observed(NodeSnapshot.of(node));
        }
        return cluster;
    }

    private static String best(PodToPlace pod, NodeLedgerView... nodes) {
        var table = cluster(nodes).table;
        var pending =
                new PendingPod(Cluster.pod("new", ""), pod.charge(), pod.pod().gpus());
        var fitting = SchedulingRules.withLedger().fitting(pending, table);
        return table.name(SchedulingRules.best(pending, table, fitting, PlacementConfig.DEFAULTS.share()));
    }

    @Test
    void theOwnSchedulerChoosesTheSame() {
        assertThat(best(pod(share(4_096, false)), node("n1", 8_192, 0), node("n2", 0)))
                .isEqualTo("n1");
        assertThat(best(pod(share(9_000, false)), node("n1", 8_192), node("n2", 0), node("n3")))
                .isEqualTo("n2");

        var cluster = cluster(node("n1", 8_192), node("n2"));
        var pending = new PendingPod(
                Cluster.pod("new", "'requests':{'alnair/vgpu-memory':9}"),
                Given.cpus(1),
                GpuDemand.of(List.of(share(9_216, false))));
        assertThat(SchedulingRules.withLedger().reason(pending, cluster.table))
                .isEqualTo("0/2 nodes are available: 2 with no GPU: GPU_NO_DEVICE_FITS(max free MiB=8192)");
    }

    /** Where Sluice gives whole devices and the kubelet has none, its count of them is not asked for. */
    @Test
    void wholeDevicesOfASharedNodeAreNoResourceOfTheKubelet() {
        var whole = new GpuRequest(0, GpuRequest.NVIDIA, 1, Amounts.WHOLE, Selector.ANY);
        var pending = new PendingPod(
                Cluster.pod("new", "'requests':{'nvidia.com/gpu':1}"), Given.cpus(1), GpuDemand.of(List.of(whole)));
        var cluster = cluster(node("n1", 0), node("n2", 1), node("n3"));

        assertThat(SchedulingRules.withLedger().fitting(pending, cluster.table).stream()
                        .mapToObj(cluster.table::name))
                .containsExactly("n1");
    }

    /** kube-scheduler rounds scores to tenths, and draws among equals. */
    @Test
    void theNodeWithTheLeastFragmentsIsTheBestAlone() {
        var typical = new TypicalPods();
        typical.came(pod(share(MIB / 2, false)).pod());
        var devices = PlacementConfig.DEFAULTS.devices().score(typical);
        var table = new NodeTable();
        var nodes = List.of(node("n1", MIB / 4), node("n2", MIB / 2), node("n3", MIB / 2), node("n4"));
        nodes.forEach(table::observed);
        var names = nodes.stream().map(NodeLedgerView::node).toList();
        var ranking = new NodeRanking(PlacementConfig.DEFAULTS.plugins(PlacementConfig.DEFAULTS.share(), typical));
        var ranks = ranking.rank(pod(share(MIB / 2, false)), names, table, Optional.empty());

        assertThat(ranks.stream().map(NodeRank::score)).contains(100).allMatch(score -> score == 100 || score <= 90);
        assertThat(ranks.stream().filter(rank -> rank.score() == 100).map(NodeRank::node))
                .as("of equals the first name")
                .containsExactly("n2");

        var cluster = cluster(nodes.toArray(NodeLedgerView[]::new)).table;
        cluster.scoreBy(devices, new AlignedZones(PlacementConfig.DEFAULTS.zones()));
        var waiting = pod(share(MIB / 2, false));
        var pending = new PendingPod(
                Cluster.pod("new", ""), waiting.charge(), waiting.pod().gpus());
        var fitting = SchedulingRules.withLedger().fitting(pending, cluster);
        assertThat(cluster.name(SchedulingRules.best(pending, cluster, fitting, PlacementConfig.DEFAULTS.share())))
                .isEqualTo("n2");
    }

    @Test
    void fragmentsCountWhereGpusAreAlone() {
        var devices = new LeastFragments(new TypicalPods());
        var largest = Given.cpus(10);

        assertThat(devices.score(pod(), NodeSnapshot.of(node("plain")), largest))
                .isEmpty();
        assertThat(devices.score(pod(), NodeSnapshot.of(node("gpu", 0)), largest))
                .isPresent();
        assertThat(devices.score(pod(share(4_096, true)), NodeSnapshot.of(node("gpu", 0)), largest))
                .as("a pod that wishes to be spread")
                .hasValue(0.75);
    }

    /** What is left for pods like most pods counts, and not what is left. */
    @Test
    void fragmentsAreWhatTypicalPodsCannotUse() {
        var typical = new TypicalPods();
        typical.came(pod(share(MIB / 2, false)).pod());
        var fragmentation = new Fragmentation(typical);
        var pod = pod(share(MIB / 2, false));
        var largest = Given.cpus(10);

        var completing = fragmentation.score(pod, NodeSnapshot.of(node("n1", MIB / 2)), largest);
        var leaving = fragmentation.score(pod, NodeSnapshot.of(node("n2", MIB / 4)), largest);
        assertThat(completing.getAsDouble()).isGreaterThan(leaving.getAsDouble());
    }
}
