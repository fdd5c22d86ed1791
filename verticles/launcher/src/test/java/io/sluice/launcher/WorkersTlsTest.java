package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.launcher.cluster.TestAuthority;
import io.sluice.launcher.config.Settings;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.config.YamlText;
import io.sluice.units.Resources;
import io.sluice.workers.ControlClient;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WorkersTls;
import io.sluice.workers.agent.WorkerAgent;
import io.sluice.workers.agent.WorkerOptions;
import io.sluice.workers.control.v1.ListRequest;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers with certificates. */
class WorkersTlsTest {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final String HERE = "127.0.0.1";

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final int port = LoopbackPorts.next();
    private final int controlPort = LoopbackPorts.next();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private static WorkersTls files(TestAuthority authority, String name) throws Exception {
        return files(authority, name, "ip:" + HERE);
    }

    private static WorkersTls files(TestAuthority authority, String name, String alternatives) throws Exception {
        var files = authority.files(name, "-ext", "san=" + alternatives);
        return new WorkersTls(files.cert(), files.key(), files.caFile());
    }

    private void start(String id, WorkersTls tls) {
        vertx.deployVerticle(new WorkerAgent(
                        new WorkerOptions(
                                id,
                                HERE,
                                port,
                                new Resources(1_000, 1L << 30),
                                Map.of(),
                                List.of(),
                                List.of(),
                                directory.resolve(id + tls.cert().hashCode()),
                                tls,
                                Optional.empty()),
                        new Random(1)))
                .await();
    }

    @Test
    @DisplayName("AT-W2 a certificate speaks for its own worker alone, and nobody connects without one")
    void identity() throws Exception {
        var authority = TestAuthority.of(directory, "ours");
        var own = files(authority, "scheduler");
        var yaml = """
            roles: [ledger, placement, workers]
            gateway: {ops: {port: 0}}
            workers: {port: %d, controlPort: %d, store: %s, tls: {cert: %s, key: %s, clientCa: %s}}
            """.formatted(port, controlPort, directory.resolve("store"), own.cert(), own.key(), own.clientCa());
        var scheduler = RoleRuntime.start(
                Settings.read(ProcessConfigSources.of(YamlText.parse(yaml, "test.yaml"), Map.of(), Map.of())),
                Optional.empty());
        try {
            var control = new ControlClient(
                    vertx, HERE, controlPort, files(authority, "operator", "uri:urn:sluice:controller:operator"));
            start("w2", files(authority, "w2"));
            start("w2", files(authority, "w1"));
            start("w3", files(authority, "w3"));
            await().atMost(WITHIN)
                    .untilAsserted(() -> assertThat(workers(control)).containsExactly("w2", "w3"));
            assertThat(control.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance())
                            .await()
                            .getWorkers(0)
                            .getSessionEpoch())
                    .isEqualTo(1);

            var worker = new ControlClient(vertx, HERE, controlPort, files(authority, "w5"));
            assertThatThrownBy(() -> workers(worker)).hasMessageContaining("PERMISSION_DENIED");
            var unknown = new ControlClient(vertx, HERE, controlPort, WorkersTls.NONE);
            assertThatThrownBy(() -> workers(unknown)).isInstanceOf(Exception.class);
            var other = files(TestAuthority.of(directory, "others"), "w4");
            var stranger = new ControlClient(
                    vertx, HERE, controlPort, new WorkersTls(other.cert(), other.key(), own.clientCa()));
            assertThatThrownBy(() -> workers(stranger)).isInstanceOf(Exception.class);
        } finally {
            scheduler.stop();
        }
    }

    private static List<String> workers(ControlClient control) {
        return control.call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance()).await().getWorkersList().stream()
                .map(worker -> worker.getWorkerId())
                .toList();
    }
}
