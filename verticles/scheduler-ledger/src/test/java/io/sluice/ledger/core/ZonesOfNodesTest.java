package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.devices.Device;
import io.sluice.devices.DeviceMisfit.Cause;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.NodeDevices;
import io.sluice.devices.NodeZones;
import io.sluice.devices.PodFingerprint;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneRequest;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** NUMA zones: a pod counts in each zone until the node has reported where it is. */
class ZonesOfNodesTest {
    private static final FixedAmounts FOUR = cpus(4);

    private final Scene scene = Scene.loaded();
    private NodeDevices gpus = NodeDevices.NONE;
    private long report = 1;

    private static FixedAmounts cpus(long cpus) {
        return FixedAmounts.of(Map.of("cpu", 1_000 * cpus));
    }

    /** A report with those pods on the node, and that many CPUs free in zones of four each. */
    private void reported(List<String> pods, long... free) {
        report++;
        observed(pods, free);
    }

    private void observed(List<String> pods, long... free) {
        observedAt(scene.nextVersion(), pods, free);
    }

    private void observedAt(long version, List<String> pods, long... free) {
        var fingerprint =
                PodFingerprint.of(pods.stream().map(pod -> Map.entry("ns", pod)).toList());
        var zones = new Zone[free.length];
        Arrays.setAll(zones, id -> new Zone(id, FOUR, cpus(free[id]), Map.of()));
        scene.run(new LedgerCommand.ObserveNode(new NodeObserved(
                Scene.NODE,
                version,
                new Resources(8_000, Scene.MEMORY_TOTAL),
                "",
                List.of(),
                true,
                FixedAmounts.of(Map.of(FixedAmounts.PODS, 200L)),
                gpus.with(
                        new NodeZones(NodeZones.Policy.SINGLE_ZONE, false, 8, report, fingerprint, List.of(zones))))));
    }

    private static FixedAmounts aligned(FixedAmounts... containers) {
        return new ZoneRequest(List.of(containers), List.of())
                .kinds()
                .plus(FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L)));
    }

    private HoldReply hold(String pod, FixedAmounts... containers) {
        return hold(pod, List.of(), containers);
    }

    private HoldReply hold(String pod, List<GpuRequest> requests, FixedAmounts... containers) {
        return scene.run(new LedgerCommand.Hold(new HoldRoom(
                Scene.NODE,
                pod,
                "ns",
                pod,
                "",
                cpu(10),
                Overcommit.OFF,
                Duration.ofSeconds(30),
                AttemptId.NONE,
                aligned(containers),
                requests,
                0)));
    }

    private static String refusal(HoldReply reply) {
        return ((HoldReply.NoDevice) reply).misfit().text();
    }

    private static List<Integer> zones(HoldReply reply) {
        return ((HoldReply.Held) reply).gpus().zones();
    }

    private long reserved(int zone) {
        return scene.state.sums().fixed().of(Zone.kind(zone, "cpu"));
    }

    private void gone(String pod) {
        scene.run(new LedgerCommand.LosePod(new PodGone(pod, Scene.NODE, scene.nextVersion())));
    }

    @Test
    @DisplayName(
            "AT-N4: of three pods for two zones the second waits for a report with the first, the third is refused")
    void aPodCountsInEachZoneUntilItIsReported() {
        reported(List.of(), 4, 4);

        assertThat(zones(hold("p1", FOUR))).as("its kubelet may choose either").containsExactly(0, 1);
        assertThat(zones(hold("p1", FOUR))).as("a repeat gets the same").containsExactly(0, 1);
        assertThat(refusal(hold("p2", FOUR))).isEqualTo("NUMA_PESSIMISTIC(max free cpu=0)");

        reported(List.of(), 4, 4);
        assertThat(refusal(hold("p2", FOUR))).as("a report without p1").startsWith("NUMA_PESSIMISTIC");
        reported(List.of("p1"), 0, 4);
        assertThat(zones(hold("p2", FOUR))).as("zone 1 is free").containsExactly(1);
        assertThat(refusal(hold("p3", FOUR))).startsWith("NUMA_PESSIMISTIC");

        reported(List.of("p1", "p2"), 0, 0);
        assertThat(refusal(hold("p3", FOUR))).isEqualTo("NUMA_NO_ZONE(max free cpu=0)");
        assertThat(reserved(0) + reserved(1)).as("the report counts them now").isZero();
    }

    @Test
    void nothingIsKnownBeforeAReportWithThePodsOfTheLedger() {
        scene.run(new LedgerCommand.ObservePod(
                new PodObserved("a", "ns", "a", Scene.NODE, "", scene.nextVersion(), cpu(10), 0, "", aligned(FOUR))));
        reported(List.of(), 4, 4);
        assertThat(refusal(hold("p", cpus(1)))).isEqualTo("NUMA_PESSIMISTIC(no report of its pods)");

        reported(List.of("a"), 0, 4);
        assertThat(zones(hold("p", cpus(1)))).containsExactly(1);
    }

    @Test
    void aPodOfAnotherSchedulerCountsInEachZone() {
        reported(List.of(), 4, 4);
        scene.run(new LedgerCommand.ObservePod(new PodObserved(
                "a", "ns", "a", Scene.NODE, "", scene.nextVersion(), cpu(10), 0, "", aligned(cpus(3)))));

        assertThat(reserved(0)).isEqualTo(3_000);
        assertThat(reserved(1)).isEqualTo(3_000);
        assertThat(((HoldReply.NoDevice) hold("p", cpus(2))).misfit().cause()).isEqualTo(Cause.NUMA_PESSIMISTIC);
        assertThat(zones(hold("p", cpus(1)))).containsExactly(0, 1);
        gone("a");
        assertThat(reserved(0)).isEqualTo(1_000);
    }

    /** A report that arrives before an end is known counts once it is. */
    @Test
    void aReportWaitsForTheEndOfAPod() {
        reported(List.of(), 4, 4);
        hold("a", FOUR);
        reported(List.of("a"), 0, 4);
        reported(List.of(), 4, 4);
        gone("a");

        assertThat(zones(hold("p", FOUR))).containsExactly(0, 1);
    }

    /** A pod with the name of an earlier one may be in another zone. */
    @Test
    void aReportOfBeforeIsNotTakenForOneOfANewPodWithTheSameName() {
        reported(List.of(), 4, 4);
        hold("a", FOUR);
        reported(List.of("a"), 0, 4);
        gone("a");
        scene.run(new LedgerCommand.ObservePod(
                new PodObserved("a2", "ns", "a", Scene.NODE, "", scene.nextVersion(), cpu(10), 0, "", aligned(FOUR))));
        observed(List.of("a"), 0, 4);

        assertThat(reserved(1))
                .as("it counts in the zone that is free by the report of before")
                .isEqualTo(4_000);
    }

    /** Nodes and reports are watched apart. */
    @Test
    void aReportCountsThatArrivesAfterANewerObjectOfItsNodeAndAnOlderReportDoesNot() {
        long node = scene.nextVersion();
        observedAt(node, List.of(), 4, 4);
        hold("a", FOUR);
        report++;
        observedAt(node, List.of("a"), 0, 4);
        assertThat(zones(hold("p", cpus(1)))).containsExactly(1);
        scene.run(new LedgerCommand.Release("p"));

        report--;
        observed(List.of("a"), 4, 4);
        assertThat(zones(hold("q", cpus(1)))).containsExactly(1);
    }

    @Test
    @DisplayName("N5: GPUs that Sluice chooses are in a zone with room for the rest of the pod")
    void gpusAreInAZoneWithRoom() {
        var devices = IntStream.range(0, 2)
                .mapToObj(minor -> new Device(
                        "g-" + minor, minor, "T4", 1_000, Device.WHOLE_CORE, true, Optional.of(minor), Map.of()))
                .toList();
        gpus = new NodeDevices(GpuMode.SHARED, devices);
        reported(List.of(), 1, 4);

        var held = withGpu("a");
        assertThat(gpu(held)).isEqualTo("g-1");
        assertThat(zones(held)).as("the other one has too little").containsExactly(1);
        assertThat(refusal(withGpu("b"))).startsWith("NUMA_PESSIMISTIC(max free cpu=");
        scene.run(new LedgerCommand.Release("a"));
        gpus = new NodeDevices(GpuMode.SHARED, devices.subList(0, 1));
        reported(List.of(), 1, 4);
        assertThat(refusal(withGpu("c"))).isEqualTo("NUMA_NO_ZONE(zones with room=[1], with GPUs=[0])");
    }

    private HoldReply withGpu(String pod) {
        var share = new GpuRequest(0, "alnair", 1, GpuRequest.Amounts.share(500, 0), GpuRequest.Selector.ANY);
        return hold(pod, List.of(share), cpus(3));
    }

    private static String gpu(HoldReply reply) {
        return ((HoldReply.Held) reply).gpus().shares().getFirst().uuid();
    }

    @Test
    void zonesEndWithTheirReports() {
        reported(List.of(), 4, 4);
        hold("a", FOUR);
        scene.run(new LedgerCommand.ObserveNode(new NodeObserved(
                Scene.NODE,
                scene.nextVersion(),
                new Resources(8_000, Scene.MEMORY_TOTAL),
                "",
                List.of(),
                true,
                FixedAmounts.of(Map.of(FixedAmounts.PODS, 200L)))));

        assertThat(reserved(0)).isZero();
        assertThat(zones(hold("b", FOUR))).as("its kubelet decides").isEmpty();
    }
}
