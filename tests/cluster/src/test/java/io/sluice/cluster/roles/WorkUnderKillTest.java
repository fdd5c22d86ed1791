package io.sluice.cluster.roles;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.ApiEndpoint;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.controller.LabVmObject;
import io.sluice.lab.core.FleetPlan;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabVm;
import io.sluice.lab.core.LabVmSizes;
import io.sluice.launcher.core.Role;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Goal: VMs are scaled whichever process dies, restarts or is frozen, and a superseded runner writes nothing. Method:
 * two processes of each role that does the work. One of them at a time gets a fault while the load of twelve VMs rises
 * and falls, beside the fleet of the demo, whose VMs migrate, are denied and refuse to shrink. Every write is compared
 * with the fences.
 */
@OnlyWithFaults
@Isolated
class WorkUnderKillTest {
    private static final int ROUNDS = Integer.getInteger("cluster.work.rounds", 1);
    private static final List<Role> STRUCK = List.of(Role.AGENT, Role.MONITOR, Role.VM, Role.CLUSTER, Role.PRESSURE);
    private static final Duration READY = Duration.ofSeconds(240);
    private static final Duration FOLLOWED = Duration.ofSeconds(90);
    private static final int BOTH_WAYS = 2;
    /** A goal fails when it is missed by this factor, so that a slower takeover fails. */
    private static final int LENIENCE = 2;

    private static final String SERIES = "ec2_cpu_utilization_5f5533";
    private static final double IDLE_VCPUS = 0.1;
    private static final int VMS_PER_NODE = 6;
    private static final Resources UNIT = new Resources(250, 1L << 30);
    private static final LabVmSizes SIZES = new LabVmSizes(UNIT, UNIT.times(8), UNIT.times(8), UNIT.times(2));
    private static final List<String> NODES = List.of("node-d", "node-e");

    private final FenceTrail trail = new FenceTrail();
    private final WorkTable table = new WorkTable();

    @Test
    @DisplayName("F5: whichever process has a fault, VMs are scaled again and no superseded runner patches them")
    void vmsAreScaledAgainWhicheverProcessIsStruck() throws Exception {
        var split = new Split(Stream.concat(
                        Stream.of(Set.of(Role.LEDGER, Role.GATEWAY, Role.BILLING)),
                        STRUCK.stream().flatMap(role -> Stream.of(Set.of(role), Set.of(role))))
                .toList());
        var vertx = Vertx.vertx();
        try (var cluster = RoleCluster.onLoopback("work", split)) {
            var api = cluster.lab().api().url();
            var lab = cluster.lab()
                    .verticle(Stream.concat(FleetPlan.nodes().stream(), nodes().stream())
                            .toList());
            done(vertx.deployVerticle(lab));
            cordon(vertx, api);
            var vms = nodes().stream()
                    .flatMap(node -> node.vms().stream())
                    .map(LabVm::name)
                    .toList();
            try (var swings = new LoadSwings(lab.work(), vms);
                    var watch = new ObjectWatch(api + LabPaths.VMS, vm -> written(vm, swings))) {
                start(cluster);
                awaitFollowed(cluster, swings);
                play(cluster, swings);
                assertThat(watch.lost()).isEmpty();
            }
        } finally {
            done(vertx.close());
        }
        assertThat(trail.wrong()).isEmpty();
        assertThat(trail.patches()).isGreaterThan(trail.takeovers());
        assertThat(trail.takeovers()).isGreaterThan(NODES.size() * VMS_PER_NODE);
        for (var fault : ProcessFault.values()) {
            assertThat(table.medianMs(fault))
                    .as("ms, median of %s", fault)
                    .isLessThan(LENIENCE * fault.median().toMillis());
            assertThat(table.mostMs(fault))
                    .as("ms, most of %s", fault)
                    .isLessThan(LENIENCE * fault.most().toMillis());
        }
    }

    /** The ledger first and then two at a time: all at once would keep two processors too busy for heartbeats. */
    private static void start(RoleCluster cluster) {
        var roles = Stream.concat(Stream.of(Role.LEDGER), STRUCK.stream()).toList();
        for (var role : roles) {
            cluster.all(role).forEach(RoleProcess::start);
            cluster.within(
                    READY,
                    () -> assertThat(cluster.all(role))
                            .allSatisfy(process -> assertThat(process.hasJoined())
                                    .as("%s", process.readiness())
                                    .isTrue()));
        }
        cluster.awaitReady(READY);
    }

    private void play(RoleCluster cluster, LoadSwings swings) {
        for (int round = 0; round < ROUNDS; round++) {
            for (var role : STRUCK) {
                for (var fault : ProcessFault.played(List.of(ProcessFault.values()), round + STRUCK.indexOf(role))) {
                    var victims = cluster.all(role);
                    var result = strike(
                            cluster, swings, role, fault, victims.get((round + fault.ordinal()) % victims.size()));
                    table.add(result);
                    System.out.println(result);
                }
            }
        }
        System.out.println(table.text());
        System.out.println(trail.patches() + " patches, " + trail.takeovers() + " takeovers, wrong: " + trail.wrong());
    }

    private static WorkTable.Round strike(
            RoleCluster cluster, LoadSwings swings, Role role, ProcessFault fault, RoleProcess victim) {
        swings.beginWindow();
        fault.strike(victim);
        awaitFollowed(cluster, swings);
        var struck = swings.longestMs();
        swings.beginWindow();
        fault.undo(victim);
        cluster.awaitReady(READY);
        awaitFollowed(cluster, swings);
        return new WorkTable.Round(role, fault, struck, swings.longestMs());
    }

    private static void awaitFollowed(RoleCluster cluster, LoadSwings swings) {
        cluster.within(FOLLOWED, () -> assertThat(swings.behind(BOTH_WAYS)).isEmpty());
    }

    private void written(JsonObject vm, LoadSwings swings) {
        var metadata = vm.getJsonObject("metadata");
        var name = metadata.getString("name");
        var size = LabVmObject.specSize(vm);
        var fence = metadata.getJsonObject("annotations", new JsonObject())
                .getString("internal.autoscaling.sluice.io/fence", "");
        trail.add(name, new FenceTrail.Write(size.toString(), fence));
        swings.sized(name, size.milliCpu());
    }

    /** Nodes with room for the maximum of all VMs there. */
    private static List<LabNode> nodes() {
        var nodes = new ArrayList<LabNode>();
        for (var node : NODES) {
            var vms = IntStream.range(0, VMS_PER_NODE)
                    .mapToObj(number -> new LabVm(
                                    node + "-vm-" + number, SERIES, Duration.ZERO, IDLE_VCPUS, false, List.of())
                            .sized(SIZES))
                    .toList();
            nodes.add(new LabNode(node, UNIT.times(8 * VMS_PER_NODE * 2), vms, Resources.NONE));
        }
        return nodes;
    }

    /** Keeps VMs of the demo's fleet from these nodes, as they would take the room that is measured. */
    private static void cordon(Vertx vertx, String api) throws Exception {
        var client = new ApiClient(vertx, ApiEndpoint.open(api));
        var cordoned = new JsonObject().put("spec", new JsonObject().put("unschedulable", true));
        for (var node : NODES) {
            done(client.merge(LabPaths.NODES + "/" + node, cordoned));
        }
        done(client.close());
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
