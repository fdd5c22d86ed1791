package io.sluice.lab.guest;

import io.sluice.lab.load.core.GuestCpuTimes;
import io.sluice.lab.load.core.GuestMemory;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Supplier;

/** Serves metrics at {@code GET /metrics}, as Prometheus text: under Vector's names, and some of node_exporter. */
final class MetricsServer {
    /** The path of the metrics. */
    static final String PATH = "/metrics";

    private static final int NOT_FOUND = 404;

    /** The values of a scrape. */
    record Reading(double load1, double load5, GuestMemory memory, GuestCpuTimes cpus) {}

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
        gauge(text, "node_memory_MemTotal_bytes", "All memory.", Long.toString(memory.totalBytes()));
        gauge(text, "node_memory_MemAvailable_bytes", "Available memory.", Long.toString(memory.availableBytes()));
        text.append("# HELP node_cpu_seconds_total Seconds of each CPU, by mode.\n");
        text.append("# TYPE node_cpu_seconds_total counter\n");
        for (int cpu = 0; cpu < now.cpus().cpus(); cpu++) {
            cpu(text, cpu, "idle", now.cpus().idle(cpu));
            cpu(text, cpu, "user", now.cpus().used(cpu));
        }
        return text.toString();
    }

    private static void cpu(StringBuilder text, int cpu, String mode, double seconds) {
        text.append("node_cpu_seconds_total{cpu=\"").append(cpu);
        text.append("\",mode=\"").append(mode).append("\"} ").append(seconds).append('\n');
    }

    static void gauge(StringBuilder text, String name, String help, String value) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(" gauge\n");
        text.append(name).append(' ').append(value).append('\n');
    }
}
