package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.api.RawApi;
import io.sluice.lab.core.LabNode;
import io.sluice.lab.core.LabVm;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A small fast lab, observed through its HTTP API: VMs {@code db} and {@code web} on {@code node-a}, and two more
 * nodes.
 */
final class LabStage implements AutoCloseable {
    static final Duration WAIT = Duration.ofSeconds(20);
    private static final String MERGE = "application/merge-patch+json";
    private static final Duration SHORT = Duration.ofMillis(20);

    final LabVerticle lab;
    final RawApi raw;
    private final KubernetesClient client;

    LabStage(Vertx vertx) {
        var times = new LabConfig.MigrationTimes(SHORT, SHORT, SHORT, SHORT);
        var config = new LabConfig(
                LabCluster.OWN, "127.0.0.1", 0, Duration.ofMinutes(1), 1, SHORT, SHORT, Duration.ofDays(1), times);
        var shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        lab = new LabVerticle(config, shell, nodes());
        vertx.deployVerticle(lab).await();
        client = KubernetesConnection.open(KubernetesConfig.DEFAULTS.at(lab.apiUrl()));
        raw = new RawApi(client);
    }

    private static List<LabNode> nodes() {
        return List.of(
                new LabNode("node-a", units(40), List.of(vm("db"), vm("web")), Resources.NONE),
                new LabNode("node-b", units(40), List.of(), units(20)),
                new LabNode("node-c", units(40), List.of(), units(10)));
    }

    private static LabVm vm(String name) {
        return new LabVm(name, "rds_cpu_utilization_e47b3b", Duration.ZERO, 4, true, List.of());
    }

    static Resources units(int units) {
        return new Resources(250, 1L << 30).times(units);
    }

    /** Begins a migration that names a node with room; empty for none. */
    void migrate(String name, String vm, String roomOn) {
        var made = raw.post(LabPaths.MIGRATIONS, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachineMigration","metadata":{"name":"%s","annotations":{%s}},
             "spec":{"vmName":"%s","preventMigrationToSameHost":true}}\
            """.formatted(
                name, roomOn.isEmpty() ? "" : "\"internal.autoscaling.sluice.io/room-on\":\"" + roomOn + "\"", vm));
        assertThat(made.status()).isEqualTo(201);
    }

    JsonNode migration(String name) {
        return raw.get(LabPaths.migration(name)).body();
    }

    JsonNode vm(String name, String pointer) {
        return raw.get(LabPaths.vm(name)).body().at(pointer);
    }

    void resize(String vm, int units) {
        var patched = raw.patch(LabPaths.vm(vm), MERGE, """
            {"spec":{"guest":{"cpus":{"use":"%dm"},"memorySlots":{"use":%d}}}}\
            """.formatted(units * 250, units));
        assertThat(patched.status()).isEqualTo(200);
    }

    void awaitPhase(String migration, String phase) {
        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(
                                migration(migration).at("/status/phase").asText())
                        .isEqualTo(phase));
    }

    void awaitVm(String vm, String pointer, String value) {
        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(vm(vm, pointer).asText()).isEqualTo(value));
    }

    void awaitGone(String path) {
        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(raw.get(path).status()).isEqualTo(404));
    }

    @Override
    public void close() {
        client.close();
    }
}
