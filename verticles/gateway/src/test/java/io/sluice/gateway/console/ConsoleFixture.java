package io.sluice.gateway.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.gateway.listener.ConsoleListenerConfig;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/** A console on a free port, with a client before it and, if a test needs one, a ledger behind it. */
final class ConsoleFixture {
    static final String CONFIG = "{\"keys\":[]}";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Vertx vertx;
    final Bus bus;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final Map<String, NodeLedgerView> ledger = new ConcurrentSkipListMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private ConsoleVerticle console;

    ConsoleFixture(Vertx vertx) {
        this.vertx = vertx;
        bus = new Bus(vertx);
    }

    static ConsoleFixture open(Vertx vertx) {
        return new ConsoleFixture(vertx).deploy(ConsoleListenerConfig.DEFAULTS.at(0), () -> CONFIG);
    }

    ConsoleFixture deploy(ConsoleListenerConfig listener, Supplier<String> config) {
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        var process = new ConsoleProcess("1.2.3", List.of("ledger", "gateway"), Instant.EPOCH, config);
        console = new ConsoleVerticle(listener, shell, process);
        vertx.deployVerticle(console).await();
        return this;
    }

    /** From now on a ledger replies with {@link #ledger}. */
    ConsoleFixture withLedger() {
        bus.serve(LedgerAddresses.SNAPSHOT, request -> {
                    var requested = ledger.values().stream()
                            .filter(node ->
                                    request.node().isEmpty() || request.node().equals(node.node()))
                            .toList();
                    return Future.succeededFuture(new Snapshot(requested));
                })
                .await();
        return this;
    }

    int port() {
        return console.port();
    }

    HttpRequest.Builder requesting(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + console.port() + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(20));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(requesting(path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The JSON of a reply that must be 200. */
    JsonNode json(String path) throws Exception {
        var answer = get(path);
        if (answer.statusCode() != 200) {
            throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
        }
        return MAPPER.readTree(answer.body());
    }

    static JsonNode read(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (IOException noJson) {
            throw new AssertionError(json, noJson);
        }
    }

    /** A stream that is read until the console closes. */
    EventReader reading(String path) {
        return new EventReader(port(), path);
    }

    double gauge(String name) {
        return meters.get(name).gauge().value();
    }
}
