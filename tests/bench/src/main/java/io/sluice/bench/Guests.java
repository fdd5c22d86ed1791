package io.sluice.bench;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * One server for all guests: idle metrics, and a monitor that agrees to everything and sends an upscale request on
 * demand. The last part of the path names the guest. Each guest has a loopback address of its own, so that each has its
 * own connections.
 */
final class Guests {
    /** The reply to each scrape: idle, with almost no memory in use. */
    static final String METRICS = """
        # HELP host_load1 Load average over 1 minute.
        # TYPE host_load1 gauge
        host_load1 0.01
        # HELP host_load5 Load average over 5 minutes.
        # TYPE host_load5 gauge
        host_load5 0.01
        # HELP host_memory_total_bytes All memory.
        # TYPE host_memory_total_bytes gauge
        host_memory_total_bytes 1e9
        # HELP host_memory_available_bytes Memory to be had.
        # TYPE host_memory_available_bytes gauge
        host_memory_available_bytes 9e8
        # HELP host_memory_cached_bytes Page cache.
        # TYPE host_memory_cached_bytes gauge
        host_memory_cached_bytes 1e8
        """;

    private static final long UPSCALE_REQUESTS_EVERY_MS = 1_000;
    private static final int PER_NET = 250;

    private final Vertx vertx;
    private final Map<String, ServerWebSocket> monitors = new ConcurrentHashMap<>();
    private final Set<String> missing = ConcurrentHashMap.newKeySet();
    private final LongAdder scrapes = new LongAdder();
    private int port;

    Guests(Vertx vertx) {
        this.vertx = vertx;
    }

    Future<?> start() {
        return vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "0.0.0.0")
                .onSuccess(server -> port = server.actualPort());
    }

    int port() {
        return port;
    }

    /** Number of scrapes. */
    long scrapes() {
        return scrapes.sum();
    }

    static String host(int index) {
        return "127.30." + index / PER_NET + "." + (index % PER_NET + 1);
    }

    boolean isInSession(String name) {
        return monitors.containsKey(name);
    }

    /** Sends an upscale request of the guest now, if it has a monitor session; returns when. */
    long upscaleRequest(String name) {
        var monitor = monitors.get(name);
        long now = System.nanoTime();
        if (monitor != null) {
            monitor.writeTextMessage("{\"type\":\"UpscaleRequest\",\"id\":0}");
        }
        return now;
    }

    /** Sends upscale requests as a stock monitor does: again each second until it is notified of more memory. */
    void requestUpscaleUntilReceived(String name) {
        missing.add(name);
        upscaleRequest(name);
        vertx.setPeriodic(UPSCALE_REQUESTS_EVERY_MS, timer -> {
            if (missing.contains(name)) {
                upscaleRequest(name);
            } else {
                vertx.cancelTimer(timer);
            }
        });
    }

    private void handle(HttpServerRequest request) {
        if (request.path().startsWith("/monitor/")) {
            var name = request.path().substring("/monitor/".length());
            request.toWebSocket().onSuccess(socket -> {
                socket.textMessageHandler(text -> answer(name, socket, text));
                socket.closeHandler(closed -> monitors.remove(name, socket));
            });
        } else {
            scrapes.increment();
            request.response()
                    .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                    .end(METRICS);
        }
    }

    private void answer(String name, ServerWebSocket socket, String text) {
        if (text.contains("\"min\"")) {
            socket.writeTextMessage("{\"version\":1}");
        } else if (text.contains("HealthCheck")) {
            socket.writeTextMessage("{\"type\":\"HealthCheck\",\"id\":" + id(text) + "}");
            monitors.put(name, socket);
        } else if (text.contains("UpscaleNotification")) {
            missing.remove(name);
            socket.writeTextMessage("{\"type\":\"UpscaleConfirmation\",\"id\":" + id(text) + "}");
        } else if (text.contains("DownscaleRequest")) {
            socket.writeTextMessage(
                    "{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"fine\",\"id\":" + id(text) + "}");
        }
    }

    private static String id(String text) {
        return text.substring(text.lastIndexOf(':') + 1, text.length() - 1);
    }
}
