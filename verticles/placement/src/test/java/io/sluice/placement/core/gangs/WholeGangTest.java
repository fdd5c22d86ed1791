package io.sluice.placement.core.gangs;

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
import io.sluice.messages.ledger.HoldReply;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.Given;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.rules.Cluster;
import io.sluice.placement.core.rules.SchedulingRules;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.units.FixedAmounts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What members of a gang take of one node counts for the next member. */
class WholeGangTest {
    private static final String SHARES = "'requests':{'alnair/vgpu-memory':1,'alnair/vgpu-compute':60}";

    private static final GangKey KEY = new GangKey(GangKey.Kind.X_K8S, "default", "g");

    private final Cluster cluster = new Cluster();
    private final Gangs gangs = new Gangs();

    private void node(String name, NodeDevices devices, FixedAmounts total) {
        cluster.node(name, "");
        cluster.table.observed(NodeSnapshot.of(Given.node(name, total, FixedAmounts.NONE, devices)));
    }

    private void nodeWithAGpu(String name) {
        var devices =
                new NodeDevices(GpuMode.SHARED, List.of(new Device(name + "-gpu", 0, "T4", 16_384)), NodeZones.NONE);
        node(name, devices, devices.totals());
    }

    /** As the collector makes them of both observations of each pod. */
    private List<PendingPod> members(int count, String requests, GpuDemand gpus, FixedAmounts fixed) {
        return collector(count, requests, gpus, fixed).placeable(gangs.find(KEY).orElseThrow());
    }

    private GangCollector collector(int count, String requests, GpuDemand gpus, FixedAmounts fixed) {
        var pods = new HashMap<String, PodToPlace>();
        IntStream.range(0, count).mapToObj(i -> "m" + i).forEach(name -> {
            var uid = "uid-" + name;
            gangs.observed(new GangMember(uid, "default", name, KEY, 0, "", false, GangMember.End.NONE, false));
            var observed = new PodObserved(uid, "default", name, "", "", 1, Given.cpus(1), 0, "", fixed).with(gpus);
            pods.put(uid, new PodToPlace(observed, Overcommit.OFF));
        });
        return new GangCollector(gangs, cluster.table, SchedulingRules.withLedger(), new Surroundings(pods, requests));
    }

    private record Surroundings(Map<String, PodToPlace> pods, String requests) implements GangSurroundings {
        @Override
        public Optional<PodToPlace> observed(String uid) {
            return Optional.of(pods.get(uid));
        }

        @Override
        public Optional<PodSpec> spec(String uid) {
            return Optional.of(Cluster.pod(uid.substring("uid-".length()), requests));
        }

        @Override
        public boolean bindsOnRequest(List<GangRecord> gangs) {
            return false;
        }

        @Override
        public RoomScore score() {
            return PlacementConfig.DEFAULTS.share();
        }

        @Override
        public String unique() {
            return "x";
        }
    }

    private WholeGang.Plan plan(List<PendingPod> members) {
        return WholeGang.plan(
                members, members.size(), cluster.table, SchedulingRules.withLedger(), PlacementConfig.DEFAULTS.share());
    }

    /** Two of 60 percent each do not share a device. */
    @Test
    void aMembersShareOfAGpuCounts() {
        var most = GpuDemand.of(
                List.of(new GpuRequest(0, "alnair", 1, GpuRequest.Amounts.share(1_024, 60), GpuRequest.Selector.ANY)));
        nodeWithAGpu("n1");
        var two = members(2, SHARES, most, FixedAmounts.NONE);
        var alone = plan(two);
        assertThat(alone.fitting()).isEqualTo(1);
        assertThat(alone.obstacle()).contains("GPU_NO_DEVICE_FITS(max free MiB=15360, max free core=40)");

        nodeWithAGpu("n2");
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThat(plan(two).choices())
                    .as("a plan leaves nothing behind")
                    .extracting(WholeGang.Choice::node)
                    .containsExactlyInAnyOrder("n1", "n2");
        }
        assertThat(plan(members(3, SHARES, most, FixedAmounts.NONE)).fitting()).isEqualTo(2);
    }

    /** Its kubelet may choose either zone. */
    @Test
    void whatAMemberTakesOfZonesCounts() {
        var cpus = FixedAmounts.of(Map.of("cpu", 4_000L));
        var zones = new NodeZones(
                NodeZones.Policy.SINGLE_ZONE, false, 8, 1, "", List.of(new Zone(0, cpus), new Zone(1, cpus)));
        node("n1", new NodeDevices(GpuMode.WHOLE, List.of(), zones), zones.available());
        var request = new ZoneRequest(List.of(FixedAmounts.of(Map.of("cpu", 3_000L))), List.of());

        var plan = plan(members(2, "", GpuDemand.NONE, request.kinds()));
        assertThat(plan.fitting()).isEqualTo(1);
        assertThat(plan.obstacle()).contains("NUMA_PESSIMISTIC(max free cpu=1000)");
    }

    /** A VM on the node may have grown meanwhile. */
    @Test
    void aMemberThatIsHeldSinglyIsTriedElsewhereWhereANodeRefusesIt() {
        nodeWithAGpu("n1");
        nodeWithAGpu("n2");
        gangs.observed(new GangSpec(
                KEY,
                2,
                Duration.ofSeconds(60),
                GangSpec.Mode.NON_STRICT,
                GangSpec.MatchPolicy.ONCE_SATISFIED,
                List.of(),
                Instant.EPOCH,
                false,
                GangSpec.Source.NONE,
                Map.of()));
        var collector = collector(2, "", GpuDemand.NONE, FixedAmounts.NONE);
        var member = collector.placeable(gangs.find(KEY).orElseThrow()).getFirst();
        var first = (GangAction.Hold)
                collector.holdSingly(member, "n1", Instant.EPOCH).getFirst();

        var refused = new HoldReply.NoRoom(Given.cpus(1), Given.cpus(10), Given.cpus(10));
        assertThat(collector.held(first.attempt(), Optional.of(refused), Instant.EPOCH))
                .singleElement()
                .isInstanceOfSatisfying(
                        GangAction.Hold.class,
                        again -> assertThat(again.attempt().node()).isEqualTo("n2"));
    }

    @Test
    void theEndOfANodeFailsOnlyAnAttemptThatHasAMemberThere() {
        nodeWithAGpu("n1");
        gangs.observed(new GangSpec(KEY, 2, Instant.EPOCH));
        var collector = collector(2, "", GpuDemand.NONE, FixedAmounts.NONE);
        var gang = gangs.find(KEY).orElseThrow();
        collector.begin(gang, Instant.EPOCH);
        collector.nodeGone("other", Instant.EPOCH);
        collector.gone("uid-m0", Instant.EPOCH);
        collector.gone("uid-m1", Instant.EPOCH);
        assertThat(collector.attempts()).isEmpty();
        assertThat(gang.waitReason()).isEmpty();

        collector.begin(gang, Instant.EPOCH);
        collector.nodeGone("n1", Instant.EPOCH);
        assertThat(collector.attempts()).isEmpty();
        assertThat(gang.waitReason()).isEqualTo("GANG_NOT_BOUND: node n1 is gone");
    }
}
