package io.sluice.simulation.gangs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.NewReservation;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.gangs.GangAction.What;
import io.sluice.placement.core.gangs.GangOptions;
import io.sluice.placement.core.gangs.GangSpec;
import io.sluice.placement.core.gangs.GangSpec.MatchPolicy;
import io.sluice.placement.core.gangs.GangSpec.Mode;
import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The acceptance tests of gangs: the real pipeline and ledgers, in virtual time. */
class GangAcceptanceTest {
    private static final Duration A_SECOND = Duration.ofSeconds(1);

    private static GangSpec nonStrict(GangWorld world, String name, int minMember, Duration timeout) {
        return new GangSpec(
                GangWorld.key(name),
                minMember,
                timeout,
                Mode.NON_STRICT,
                MatchPolicy.ONCE_SATISFIED,
                List.of(),
                world.now(),
                false,
                GangSpec.Source.NONE,
                Map.of());
    }

    @Test
    @DisplayName("AT-G1 hold-back: too few members hold nothing, the last one starts all")
    void holdBack() {
        var world = GangWorld.c3();
        world.gang("g", 3);
        world.pod("p1", "g", 1_000);
        world.pod("p2", "g", 1_000);
        world.play(A_SECOND);
        assertThat(world.reason("g")).isEqualTo("GANG_TOO_FEW_MEMBERS(2/3)");
        assertThat(world.reservedMilliCpu()).isZero();

        world.pod("p3", "g", 1_000);
        world.play(A_SECOND);
        assertThat(world.bound("g")).containsExactly("p1", "p2", "p3");
        assertThat(world.count("g", What.SATISFIED)).isOne();
        assertThat(world.heldMilliCpu()).isZero();
        assertThat(world.leader.gangs.find(GangWorld.key("g")).orElseThrow().started())
                .isEqualTo(3);
    }

    @Test
    @DisplayName("AT-G2 capacity: three of six are bound where three fit, and none where four are needed")
    void capacity() {
        var world = GangWorld.c3();
        world.gang("g", 3);
        IntStream.range(0, 6).forEach(i -> world.pod("p" + i, "g", 3_000));
        world.play(A_SECOND);
        assertThat(world.bound("g")).hasSize(3);

        var tight = GangWorld.c3();
        tight.gang("g", 4);
        IntStream.range(0, 6).forEach(i -> tight.pod("p" + i, "g", 3_000));
        tight.playTo(4);
        assertThat(tight.bound("g")).isEmpty();
        assertThat(tight.nodes.values())
                .allSatisfy(node -> assertThat(node.sums().reserved()).isEqualTo(Resources.NONE));
        assertThat(tight.count("g", What.REJECTED)).isOne();
        assertThat(tight.reason("g")).startsWith("GANG_NO_ROOM(3/4): 0/3 nodes are available");
        tight.playTo(20);
        assertThat(tight.attemptedAt.get(1) - tight.attemptedAt.get(0)).isGreaterThanOrEqualTo(Seconds.of(5));
        assertThat(tight.attemptedAt.get(2) - tight.attemptedAt.get(1)).isGreaterThanOrEqualTo(Seconds.of(10));
    }

    @Test
    @DisplayName("AT-G3 no deadlock: of two gangs that do not both fit one is whole, and the other holds nothing")
    void noDeadlock() {
        var world = GangWorld.c3();
        world.gang("a", 2);
        world.gang("b", 2);
        world.pod("a1", "a", 3_000);
        world.pod("b1", "b", 3_000);
        world.pod("a2", "a", 3_000);
        world.pod("b2", "b", 3_000);
        world.play(A_SECOND);
        assertThat(world.bound("a")).hasSize(2);
        assertThat(world.bound("b")).isEmpty();
        assertThat(world.heldMilliCpu()).isZero();
        assertThat(world.reservedMilliCpu()).isEqualTo(6_000);
    }

    @Test
    @DisplayName(
            "AT-G4 fragmentation: room that is enough in sum, and on no two nodes, is refused at the first attempt")
    void fragmentation() {
        var world = GangWorld.c3();
        List.of("n1", "n2", "n3").forEach(node -> used(world, node, 2_000));
        world.gang("g", 2);
        world.pod("p1", "g", 3_000);
        world.pod("p2", "g", 3_000);
        world.play(A_SECOND);
        assertThat(world.bound("g")).isEmpty();
        assertThat(world.attemptedAt).hasSize(1);
        assertThat(world.count("g", What.REJECTED)).isOne();
        assertThat(world.heldMilliCpu()).isZero();
    }

    @Test
    @DisplayName("minResources: a gang is refused without an attempt where all nodes together have less free")
    void minResources() {
        var world = GangWorld.c3();
        List.of("n1", "n2", "n3").forEach(node -> used(world, node, 2_000));
        var needs = new GangSpec(GangWorld.key("g"), 2, world.now());
        world.gang(new GangSpec(
                needs.key(),
                needs.minMember(),
                needs.timeout(),
                needs.mode(),
                needs.matchPolicy(),
                List.of(),
                needs.createdAt(),
                false,
                GangSpec.Source.NONE,
                Map.of("cpu", 7_000L, "memory", 1L << 30)));
        world.pod("p1", "g", 1_000);
        world.pod("p2", "g", 1_000);
        world.play(A_SECOND);
        assertThat(world.bound("g")).isEmpty();
        assertThat(world.reason("g")).isEqualTo("GANG_MIN_RESOURCES(cpu 6 of 7 are free)");
        world.node("n4", 4_000);
        world.playTo(6);
        assertThat(world.bound("g")).hasSize(2);
    }

    /** A pod that another scheduler has bound. */
    static void used(GangWorld world, String node, long milliCpu) {
        var uid = "used-on-" + node;
        bind(world, node, uid, "", new Resources(milliCpu, 1));
    }

    private static void bind(GangWorld world, String node, String uid, String vm, Resources amounts) {
        world.run(
                node,
                new LedgerCommand.Bind(NewReservation.of(
                        new HoldRoom(node, uid, "ns", uid, vm, amounts, Overcommit.OFF, Duration.ofSeconds(1)))));
    }

    @Test
    @DisplayName("AT-G5 order: by priority, then by the last failure or else the creation")
    void order() {
        var world = GangWorld.withoutFaults();
        world.node("n1", 1_000);
        created(world, "high", 5);
        created(world, "fresh", 1);
        created(world, "failed", 1);
        world.pod("failed-1", "failed", 3_000);
        world.playTo(9);
        world.leader.hide("high-1", "fresh-1");
        world.pod("high-1", "high", 3_000, 10);
        world.pod("fresh-1", "fresh", 3_000);
        world.play(Duration.ZERO);
        assertThat(world.count("failed", What.REJECTED)).isPositive();
        assertThat(world.leader.order().stream().map(record -> record.key().name()))
                .containsExactly("high", "fresh", "failed");
    }

    private static void created(GangWorld world, String name, int second) {
        world.gang(new GangSpec(GangWorld.key(name), 1, Seconds.instant(Seconds.of(second))));
    }

    @Test
    @DisplayName("AT-G6 timeout: one deadline for the gang, from its first hold")
    void timeout() {
        var world = GangWorld.c3();
        world.gang(nonStrict(world, "g", 3, Duration.ofSeconds(10)));
        // Their sizes are not known yet, so that they are not tried.
        world.leader.hide("p2", "p3");
        List.of("p1", "p2", "p3").forEach(pod -> world.pod(pod, "g", 1_000));
        world.play(Duration.ofMillis(1));
        assertThat(world.heldMilliCpu()).isEqualTo(1_000);
        world.playTo(9);
        world.leader.show("p2");
        world.play(Duration.ofMillis(500));
        assertThat(world.heldMilliCpu()).isEqualTo(2_000);
        world.playTo(10);
        assertThat(world.heldMilliCpu()).isZero();
        assertThat(world.reason("g")).startsWith("GANG_TIMEOUT");
        assertThat(world.bound("g")).isEmpty();
    }

    @Test
    @DisplayName("AT-G7 10 % rule: a gang keeps its holds while no more than a tenth of it lacks")
    void tenPercent() {
        assertThat(heldOf(18)).isEqualTo(18);
        assertThat(heldOf(17)).isZero();
    }

    /** How many of 20 stay held where that many have room. */
    private static int heldOf(int fit) {
        var world = GangWorld.withoutFaults();
        IntStream.range(0, fit).forEach(i -> world.node("n" + (10 + i), 1_000));
        world.gang(nonStrict(world, "g", 20, Duration.ofSeconds(60)));
        IntStream.range(0, 20).forEach(i -> world.pod("p" + (10 + i), "g", 1_000));
        world.play(Duration.ofSeconds(2));
        assertThat(world.bound("g")).isEmpty();
        return world.heldMembers();
    }

    @Test
    @DisplayName("AT-G8 match policy: a later member is bound once satisfied, and waits where only running ones count")
    void matchPolicy() {
        var once = afterTwoFinished(MatchPolicy.ONCE_SATISFIED);
        assertThat(once.bound("g")).contains("late");
        var running = afterTwoFinished(MatchPolicy.WAITING_AND_RUNNING);
        assertThat(running.bound("g")).doesNotContain("late");
        assertThat(running.reason("g")).isEqualTo("GANG_TOO_FEW_MEMBERS(2/3)");
    }

    private static GangWorld afterTwoFinished(MatchPolicy policy) {
        var world = GangWorld.c3();
        world.gang(new GangSpec(
                GangWorld.key("g"),
                3,
                GangOptions.DEFAULTS.timeout(),
                Mode.STRICT,
                policy,
                List.of(),
                world.now(),
                false,
                GangSpec.Source.NONE,
                Map.of()));
        IntStream.range(0, 3).forEach(i -> world.pod("p" + i, "g", 1_000));
        world.play(A_SECOND);
        assertThat(world.bound("g")).hasSize(3);
        world.succeed(world.pods.get("p0"));
        world.succeed(world.pods.get("p1"));
        world.pod("late", "g", 1_000);
        world.play(A_SECOND);
        return world;
    }

    @Test
    @DisplayName("AT-G9 up-scale race: a VM grows beside what a gang holds, and into it once it is released")
    void upScale() {
        var world = GangWorld.withoutFaults();
        world.node("n1", 5_000);
        var vm = new GrowingVm(world, "n1", 1_000);
        world.gang(nonStrict(world, "g", 2, Duration.ofSeconds(10)));
        world.leader.hide("p2");
        world.pod("p1", "g", 3_000);
        world.pod("p2", "g", 3_000);
        world.play(Duration.ofMillis(1));
        assertThat(world.heldMilliCpu()).isEqualTo(3_000);
        assertThat(vm.request(3_000)).isEqualTo(2_000);
        world.playTo(11);
        assertThat(world.heldMilliCpu()).isZero();
        assertThat(vm.request(3_000)).isEqualTo(3_000);
    }

    /** A VM with a session. */
    private static final class GrowingVm {
        private final GangWorld world;
        private final String node;
        private final long session;
        private int seq;

        GrowingVm(GangWorld world, String node, long milliCpu) {
            this.world = world;
            this.node = node;
            var size = new Resources(milliCpu, GangWorld.MEMORY);
            bind(world, node, "vm", "vm", size);
            world.run(
                    node, new LedgerCommand.ObservePod(new PodObserved("vm", "ns", "vm", node, "vm", 1_000, size, 0)));
            world.run(
                    node,
                    new LedgerCommand.ObserveVm(new VmObserved(
                            new VmId("test", "ns", "vm", "vm"),
                            1_000,
                            "vm",
                            "vm",
                            node,
                            VmPhase.RUNNING,
                            true,
                            true,
                            false,
                            new VmSizes(size, new Resources(4_000, GangWorld.MEMORY), size, Optional.empty(), 1),
                            Overcommit.OFF,
                            ScalingOverrides.NONE,
                            Optional.empty(),
                            Optional.empty(),
                            "",
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            VmTraits.NONE)));
            session = ((OpenReply.Opened) world.run(node, new LedgerCommand.Open(new OpenSession(node, "vm", "r", 0))))
                    .session();
        }

        long request(long milliCpu) {
            var reply = world.run(
                    node,
                    new LedgerCommand.RequestPermit(
                            new PermitRequest(
                                    node,
                                    "vm",
                                    "r",
                                    session,
                                    ++seq,
                                    new Resources(1_000, 1),
                                    new Resources(milliCpu, GangWorld.MEMORY),
                                    Optional.empty(),
                                    Optional.empty()),
                            false));
            return ((PermitReply.Ruled) reply).permit().milliCpu();
        }
    }

    @Test
    @DisplayName("AT-G10 bind failure: nothing started is released, and a started gang goes on without the member")
    void bindFailure() {
        var nothing = refusing("p2");
        nothing.playTo(10);
        assertThat(nothing.bound("g")).isEmpty();
        assertThat(nothing.heldMilliCpu()).isZero();
        assertThat(nothing.count("g", What.REJECTED)).isOne();
        assertThat(nothing.count("g", What.DEGRADED)).isZero();
        assertThat(nothing.reason("g")).isEqualTo("GANG_NOT_BOUND: no");

        var started = refusing("p1");
        started.playTo(10);
        assertThat(started.bound("g")).containsExactly("p2");
        assertThat(started.count("g", What.DEGRADED)).isOne();
        assertThat(started.leader.gangs.find(GangWorld.key("g")).orElseThrow().isSingle("p1"))
                .isTrue();
        started.onBind = bind -> Optional.empty();
        started.play(A_SECOND);
        assertThat(started.bound("g")).containsExactly("p1", "p2");
        assertThat(started.heldMilliCpu()).isZero();
    }

    /** Two members, of which p2 is bound first. One of them cannot be bound. */
    private static GangWorld refusing(String uid) {
        var world = new GangWorld(GangWorld.Faults.none());
        world.bindsAtOnce = 1;
        world.lead();
        world.node("n1", 4_000).node("n2", 4_000);
        world.gang("g", 2);
        world.onBind = bind -> bind.uid().equals(uid) ? Optional.of(new PodBinding.Refused("no")) : Optional.empty();
        world.pod("p1", "g", 1_000);
        world.pod("p2", "g", 2_000);
        return world;
    }

    @Test
    @DisplayName("AT-G11 missing gang: its pods wait without attempts, and its object starts them")
    void missingGang() {
        var world = GangWorld.c3();
        world.pod("p1", "g", 1_000);
        world.playTo(60);
        assertThat(world.reason("g")).startsWith("GANG_UNKNOWN");
        assertThat(world.attemptedAt).isEmpty();
        world.gang("g", 1);
        world.play(A_SECOND);
        assertThat(world.attemptedAt).hasSize(1);
        assertThat(world.bound("g")).containsExactly("p1");
    }
}
