package io.sluice.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.billing.wire.UsageEvent;
import io.sluice.billing.wire.UsageEventJson;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A receiver refuses everything for {@code billing.sink-down-seconds} (3 by default; 60 is worth running sometimes),
 * and then works again. Nothing is missing then, and nothing doubled.
 */
@DisplayName("F20: nothing is missing once a sink is back")
class SinkDownTest {
    private static final Duration DOWN = Duration.ofSeconds(Long.getLong("billing.sink-down-seconds", 3));
    private static final Duration WAIT = Duration.ofSeconds(90);
    private static final int UNAVAILABLE = 503;
    private static final int OK = 200;

    @TempDir
    private Path directory;

    private final Map<String, UsageEvent> taken = new ConcurrentHashMap<>();
    private final AtomicInteger repeats = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private volatile boolean down = true;

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (down) {
                refusals.incrementAndGet();
                exchange.sendResponseHeaders(UNAVAILABLE, -1);
                return;
            }
            new JsonObject(body).getJsonArray("events").forEach(event -> take(((JsonObject) event).encode()));
            exchange.sendResponseHeaders(OK, -1);
        }
    }

    private void take(String line) {
        try {
            var event = UsageEventJson.read(line);
            if (taken.put(event.idempotencyKey(), event) != null) {
                repeats.incrementAndGet();
            }
        } catch (Exception unreadable) {
            throw new AssertionError(line, unreadable);
        }
    }

    @Test
    void nothingIsMissingOnceAReceiverIsThereAgain() throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/usage_events", this::answer);
        server.start();
        try (var rig = new BillingRig(directory)) {
            rig.with("http.url", "http://127.0.0.1:" + server.getAddress().getPort())
                    .with("http.pushEvery", "200ms")
                    .vm("db", 1, "ep-1", 3_000);
            rig.start();
            var end = Instant.now().plus(DOWN);
            await().atMost(DOWN.plus(WAIT)).until(() -> Instant.now().isAfter(end) && refusals.get() >= 2);
            down = false;

            await().atMost(WAIT)
                    .until(() -> rig.meters
                                    .get("autoscaling_agent_billing_queue_size")
                                    .tag("client", "http")
                                    .gauge()
                                    .value()
                            == 0);
            rig.stop();
        } finally {
            server.stop(0);
        }
        assertThat(repeats).hasValue(0);
        assertNoGap();
    }

    private void assertNoGap() {
        var windows = new TreeMap<Instant, UsageEvent>();
        taken.values().stream()
                .filter(event -> event.metric().equals("effective_compute_seconds"))
                .forEach(event -> windows.put(event.startTime(), event));
        var first = windows.firstEntry().getValue();
        var stop = first.startTime();
        long value = 0;
        for (var event : windows.values()) {
            assertThat(event.startTime()).isEqualTo(stop);
            stop = event.stopTime();
            value += event.value();
        }
        assertThat(Duration.between(first.startTime(), stop)).isGreaterThan(DOWN.minusSeconds(1));
        assertThat(value - 3 * Duration.between(first.startTime(), stop).toNanos() / 1e9)
                .isBetween(-1.0, 1.0);
    }
}
