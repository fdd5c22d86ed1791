package io.sluice.cluster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cluster.roles.ObjectWatch;
import io.sluice.cluster.roles.OnlyWithFaults;
import io.sluice.cluster.roles.ProcessFault;
import io.sluice.cluster.roles.RoleCluster;
import io.sluice.cluster.roles.RoleProcess;
import io.sluice.cluster.roles.Split;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.core.LabNode;
import io.sluice.launcher.core.Role;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Goal: no node and no NUMA zone gets more pods than fit and no pod is bound twice, whichever process dies or is
 * frozen, and pods are placed again. Method: three ledgers, two processes of each other role that places pods, and pods
 * that come and go. The test stands for the kubelets that choose zones, and for the exporters that report them.
 */
@OnlyWithFaults
@Isolated
class PlacementUnderKillTest {
    private static final int ROUNDS = Integer.getInteger("cluster.placement.rounds", 1);
    private static final long SEED = Long.getLong("cluster.seed", 20_261_125);
    private static final Duration READY = Duration.ofSeconds(240);
    private static final Duration PLACED_AGAIN = Duration.ofSeconds(60);
    private static final Duration SETTLED = Duration.ofSeconds(90);
    private static final int SOME = 10;
    private static final List<Role> STRUCK = List.of(Role.PLACEMENT, Role.VM, Role.LEDGER);
    private static final List<ProcessFault> FAULTS = List.of(ProcessFault.KILL, ProcessFault.STOP);

    /** A process is frozen for longer than a hold stays before it is left over. */
    private static final Duration LONGER = Duration.ofSeconds(10);

    private static final Resources TOTAL = new Resources(8_000, 32L << 30);

    /** Less than a half, as some is reserved for the system. */
    private static final Resources ZONE = new Resources(3_000, 12L << 30);

    private static final int ZONES = 2;
    private static final List<String> NODES = List.of("node-p", "node-q");
    private static final Set<Role> PLACES = Set.of(Role.GATEWAY, Role.PLACEMENT);
    private static final Set<Role> DRIVES = Set.of(Role.VM, Role.CLUSTER);
    private static final Split SPLIT = new Split(List.of(
            Set.of(Role.LEDGER, Role.GATEWAY),
            Set.of(Role.LEDGER),
            Set.of(Role.LEDGER),
            PLACES,
            PLACES,
            DRIVES,
            DRIVES));

    private final PodAudit audit = new PodAudit(TOTAL, ZONES, ZONE);

    @Test
    @DisplayName("F1, F7: whichever process has a fault, no pod is placed beyond the total of a node or a zone")
    void placesNoPodBeyondATotalWhicheverProcessIsStruck() throws Exception {
        var vertx = Vertx.vertx();
        try (var cluster = RoleCluster.onLoopback("placement", SPLIT)) {
            var api = cluster.lab().api().url();
            done(vertx.deployVerticle(cluster.lab().verticle(nodes())));
            try (var zones = new ZoneExporter(api, NODES, audit)) {
                zones.start();
                cluster.start().awaitReady(READY);
                playUnderLoad(cluster, api + LabPaths.PODS);
            }
        } finally {
            done(vertx.close());
        }
        assertThat(audit.complaints()).isEmpty();
    }

    private void playUnderLoad(RoleCluster cluster, String pods) throws IOException, InterruptedException {
        var extenders =
                cluster.all(Role.PLACEMENT).stream().map(RoleProcess::extender).toList();
        try (var watch = new ObjectWatch(pods, audit::written);
                var load = new PodLoad(pods, NODES, extenders, audit, SEED)) {
            play(cluster);
            load.cease();
            cluster.within(SETTLED, () -> assertThat(NODES).allSatisfy(node -> settled(cluster, node)));
            fillZones(cluster, load);
            System.out.printf("seed %d: %d pods bound, refused: %s%n", SEED, audit.bound(), load.refusals());
            assertThat(watch.lost()).isEmpty();
            assertThat(load.refusals().keySet()).noneMatch(refusal -> refusal.startsWith("unexpected"));
        }
    }

    private void play(RoleCluster cluster) {
        placesMore(cluster, "at first");
        for (int round = 0; round < ROUNDS; round++) {
            for (var role : STRUCK) {
                for (var fault : ProcessFault.played(FAULTS, round + STRUCK.indexOf(role))) {
                    var victims = cluster.all(role);
                    struck(cluster, fault, role, victims.get((round + fault.ordinal()) % victims.size()));
                }
            }
        }
        var ledgers = cluster.all(Role.LEDGER);
        for (var ledger : ledgers.subList(1, ledgers.size())) {
            struck(cluster, ProcessFault.KILL, Role.LEDGER, ledger);
        }
    }

    private void struck(RoleCluster cluster, ProcessFault fault, Role role, RoleProcess victim) {
        fault.strike(victim);
        placesMore(cluster, fault + " of " + role);
        if (fault == ProcessFault.STOP) {
            ProcessFault.last(LONGER);
        }
        fault.undo(victim);
        cluster.awaitReady(READY);
        placesMore(cluster, "after " + fault + " of " + role);
    }

    private void placesMore(RoleCluster cluster, String when) {
        int before = audit.bound();
        cluster.within(PLACED_AGAIN, () -> assertThat(audit.bound()).as(when).isGreaterThanOrEqualTo(before + SOME));
    }

    /** What the ledger reserves is what is bound, and nothing is held. */
    private void settled(RoleCluster cluster, String name) {
        var node = cluster.with(Role.GATEWAY)
                .console()
                .get("/api/fleet")
                .path("nodes")
                .valueStream()
                .filter(each -> each.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
        assertThat(amount(node.path("held"))).isEqualTo(Resources.NONE);
        assertThat(amount(node.path("reserved"))).isEqualTo(audit.use(name));
    }

    /** Each zone takes a pod of its size, so nothing of it is held or counted any more. */
    private void fillZones(RoleCluster cluster, PodLoad load) throws IOException, InterruptedException {
        for (int number = 0; number < NODES.size() * ZONES; number++) {
            load.createLasting("whole-zone-" + number, ZONE);
        }
        cluster.within(
                SETTLED,
                () -> assertThat(NODES)
                        .allSatisfy(node -> assertThat(audit.use(node)).isEqualTo(ZONE.times(ZONES))));
        cluster.within(SETTLED, () -> assertThat(NODES).allSatisfy(node -> settled(cluster, node)));
    }

    private static Resources amount(JsonNode amount) {
        return new Resources(amount.path(0).asLong(), amount.path(1).asLong());
    }

    private static List<LabNode> nodes() {
        return NODES.stream()
                .map(name -> new LabNode(name, TOTAL, List.of(), Resources.NONE))
                .toList();
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}
