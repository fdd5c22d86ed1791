package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.launcher.config.Settings;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much of the Kubernetes cluster a process watches, by its config: a fake API server records the requests. */
@ExtendWith(VertxExtension.class)
class WatchedScopeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final List<String> requested = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void listen(Vertx vertx) {
        server = vertx.createHttpServer()
                .requestHandler(request -> {
                    requested.add(request.uri());
                    request.response().end("{\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[]}");
                })
                .listen(0, "127.0.0.1")
                .await();
    }

    @ParameterizedTest(name = "roles {0}, scheduler via {1}, share {2}: one node alone {3}")
    @CsvSource({
        "'agent, cluster', http, node, true",
        "'agent, cluster', http, processes, false",
        "'agent, cluster, ledger', http, node, false",
        "'agent, cluster, ledger', bus, node, false",
    })
    void watchesOneNodeAloneWhereNoLedgerIsKept(String roles, String via, String share, boolean oneNode)
            throws StartException {
        var runtime = RoleRuntime.start(settings(roles, via, share), Optional.empty());
        try {
            await().atMost(TIMEOUT)
                    .until(() -> requested.stream().anyMatch(uri -> uri.startsWith("/api/v1/pods?limit")));
        } finally {
            runtime.stop();
        }

        assertThat(requested.stream().filter(uri -> uri.startsWith("/api/v1/pods?limit")))
                .allMatch(uri -> uri.contains("fieldSelector=spec.nodeName%3Dnode-a") == oneNode);
    }

    private Settings settings(String roles, String via, String share) {
        return Settings.read(new ConfigSources(
                YamlText.parse(
                        """
                        roles: [%s]
                        lease: {enabled: false}
                        kubernetes: {url: "http://127.0.0.1:%d", tokenFile: "", caFile: ""}
                        agent:
                          assignment: %s
                          node: "%s"
                          scheduler: {transport: %s, discover: urls, urls: %s}
                        gateway:
                          ops: {port: 0}
                          vmMetrics: {port: 0}
                          dump: {port: 0}
                        """.formatted(
                                        roles,
                                        server.actualPort(),
                                        share,
                                        share.equals("node") ? "node-a" : "",
                                        via,
                                        via.equals("http") ? "[\"http://127.0.0.1:1\"]" : "[]"),
                        "test.yaml"),
                Map.of(),
                Map.of()));
    }
}
