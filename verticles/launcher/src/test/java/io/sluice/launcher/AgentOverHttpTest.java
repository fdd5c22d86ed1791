package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.launcher.config.Settings;
import io.sluice.messages.agent.Decision;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: runners of a process that shares no bus with the ledger scale VMs up and down, and go on after an outage of
 * their scheduler. Method: two role runtimes in this JVM, one with the ledger and the lab, one with
 * {@code config/agent-http.yaml}; it finds the other's gateway as a pod of the lab, behind a relay that can be cut.
 */
@ExtendWith(VertxExtension.class)
class AgentOverHttpTest {
    @TempDir
    private static Path data;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @Test
    void scalesUpAndDownAndGoesOnAfterTheSchedulerWasAway(Vertx vertx) throws Exception {
        int gatewayPort = LoopbackPorts.next();
        var scheduler = RoleRuntime.start(scheduler(gatewayPort), Optional.empty());
        var ear = new Ear();
        try (var relay = new Relay(vertx, gatewayPort)) {
            var api = scheduler.lab().orElseThrow().kubernetes().url();
            makeSchedulerPod(api);
            var agent = RoleRuntime.start(agent(api, relay.port()), Optional.of(ear));
            try {
                await().atMost(TIMEOUT)
                        .until(() ->
                                ear.count(Decision.Kind.SCALED_UP) > 0 && ear.count(Decision.Kind.SCALED_DOWN) > 0);
                relay.cut();
                await().atMost(TIMEOUT).until(() -> relay.open() == 0);
                relay.mend();
                await().atMost(TIMEOUT).until(() -> relay.open() > 0);
                long before = ear.count(Decision.Kind.SCALED_UP);
                await().atMost(TIMEOUT).until(() -> ear.count(Decision.Kind.SCALED_UP) > before);
                assertThat(scheduler.lab().orElseThrow().breach()).isEmpty();
            } finally {
                agent.stop();
            }
        } finally {
            scheduler.stop();
        }
    }

    private static Settings scheduler(int gatewayPort) {
        return Settings.read(
                new ConfigSources(YamlText.parse("""
                    roles: [ledger, cluster, vm, gateway, lab]
                    gateway: {ops: {port: 0}, console: {port: 0}, agent: {port: %d}}
                    lab: {day: 30s}
                    """.formatted(gatewayPort), "scheduler.yaml"), Map.of(), Map.of()));
    }

    private static Settings agent(String api, int schedulerPort) {
        var overrides = Map.ofEntries(
                Map.entry("sluice.kubernetes.url", api),
                Map.entry("sluice.kubernetes.tokenFile", ""),
                Map.entry("sluice.kubernetes.caFile", ""),
                Map.entry("sluice.agent.scheduler.port", Integer.toString(schedulerPort)),
                Map.entry("sluice.agent.scrapePeriod", "250ms"),
                Map.entry("sluice.agent.scrapeTimeout", "1s"),
                Map.entry("sluice.agent.requestTick", "2s"),
                Map.entry("sluice.agent.schedulerRetryWait", "250ms"),
                Map.entry("sluice.agent.deniedRetryWait", "250ms"),
                Map.entry("sluice.agent.neonVmRetryWait", "250ms"),
                Map.entry("sluice.agent.monitorRetryWait", "250ms"),
                Map.entry("sluice.agent.restartMin", "250ms"),
                Map.entry("sluice.agent.restartMax", "500ms"),
                Map.entry("sluice.billing.directory", data.resolve("billing").toString()),
                Map.entry("sluice.billing.file.directory", data.resolve("bills").toString()),
                Map.entry("sluice.gateway.agent.port", "0"),
                Map.entry("sluice.gateway.ops.port", "0"),
                Map.entry("sluice.gateway.console.port", "0"),
                Map.entry("sluice.gateway.vmMetrics.port", "0"),
                Map.entry("sluice.gateway.dump.port", "0"));
        var file = YamlText.read(Path.of("../../config/agent-http.yaml"));
        return Settings.read(new ConfigSources(file, Map.of(), overrides));
    }

    private static void makeSchedulerPod(String api) throws Exception {
        var pods = api + "/api/v1/namespaces/kube-system/pods";
        send("POST", pods, "application/json", """
            {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"kube-system","name":"scheduler-0",
              "labels":{"name":"autoscale-scheduler"}},"spec":{"containers":[]}}
            """);
        send("PATCH", pods + "/scheduler-0/status", "application/merge-patch+json", """
            {"status":{"phase":"Running","podIP":"127.0.0.1","conditions":[{"type":"Ready","status":"True"}]}}
            """);
    }

    private static void send(String method, String url, String type, String body) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(url))
                    .header("Content-Type", type)
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .build();
            assertThat(client.send(request, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isBetween(200, 201);
        }
    }

    /** Collects the agent's decisions. */
    private static final class Ear extends VerticleBase {
        private final List<Decision> decisions = new CopyOnWriteArrayList<>();

        @Override
        public Future<?> start() {
            return new Bus(vertx).subscribe(AgentAddresses.DECISION, decisions::add);
        }

        long count(Decision.Kind kind) {
            return decisions.stream()
                    .filter(decision -> decision.kind() == kind)
                    .count();
        }
    }

    /** Relays bytes between agents and a scheduler, until it is cut. */
    private static final class Relay implements AutoCloseable {
        private final Vertx vertx;
        private final int target;
        private final Set<NetSocket> sockets = ConcurrentHashMap.newKeySet();
        private NetServer server;
        private int port;

        Relay(Vertx vertx, int target) {
            this.vertx = vertx;
            this.target = target;
            mend();
        }

        int port() {
            return port;
        }

        int open() {
            return sockets.size();
        }

        void mend() {
            var client = vertx.createNetClient();
            server = vertx.createNetServer().connectHandler(from -> {
                sockets.add(from);
                from.pause();
                from.closeHandler(closed -> sockets.remove(from));
                client.connect(target, "127.0.0.1")
                        .onFailure(refused -> from.close())
                        .onSuccess(to -> {
                            from.pipeTo(to);
                            to.pipeTo(from);
                        });
            });
            port = server.listen(port, "127.0.0.1").await().actualPort();
        }

        void cut() {
            server.close().await();
            sockets.forEach(NetSocket::close);
        }

        @Override
        public void close() {
            cut();
        }
    }
}
