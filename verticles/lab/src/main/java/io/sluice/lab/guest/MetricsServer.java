package io.sluice.lab.guest;

import io.sluice.lab.load.core.GuestMemory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Supplier;

/** Serves metrics at {@code GET /metrics}, as Prometheus text. */
final class MetricsServer {
    /** The path of the metrics. */
    static final String PATH = "/metrics";

    private static final int NOT_FOUND = 404;

    /** The values of a scrape. */
    record Reading(double load1, double load5, GuestMemory memory) {}

    private final Supplier<String> text;
    private final HttpServer server;

    MetricsServer(Vertx vertx, Supplier<String> text) {
        this.text = text;
        this.server = vertx.createHttpServer().requestHandler(this::answer);
    }

    Future<Integer> listen(String host, int port) {
        return server.listen(port, host).map(HttpServer::actualPort);
    }

    Future<Void> close() {
        return server.close();
    }

    private void answer(HttpServerRequest request) {
        if (!PATH.equals(request.path()) || !HttpMethod.GET.equals(request.method())) {
            request.response().setStatusCode(NOT_FOUND).end();
            return;
        }
        request.response()
                .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                .end(text.get());
    }

    static String text(Reading now) {
        var text = new StringBuilder();
        gauge(text, "host_load1", "Load average over 1 minute.", Double.toString(now.load1()));
        gauge(text, "host_load5", "Load average over 5 minutes.", Double.toString(now.load5()));
        var memory = now.memory();
        gauge(text, "host_memory_total_bytes", "All memory.", Long.toString(memory.totalBytes()));
        gauge(text, "host_memory_available_bytes", "Available memory.", Long.toString(memory.availableBytes()));
        gauge(text, "host_memory_cached_bytes", "Page cache.", Long.toString(memory.cachedBytes()));
        return text.toString();
    }

    static void gauge(StringBuilder text, String name, String help, String value) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(" gauge\n");
        text.append(name).append(' ').append(value).append('\n');
    }
}
