package io.sluice.neonvm.api;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Counts lists and watches, under the metric names of NeonVM's agents and schedulers. As an interceptor of the client
 * it counts every request, whatever component sends it. Safe from any thread.
 */
public final class WatchMetrics implements Interceptor {
    private static final String LIST = "List";
    private static final String WATCH = "Watch";

    private final MeterRegistry meters;

    public WatchMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        watched(request)
                .ifPresent(watched -> counter(watched, "client.calls", "Lists and watches that were begun")
                        .tag("method", method(request))
                        .register(meters)
                        .increment());
    }

    @Override
    public void after(HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        if (response.code() >= 400) {
            failed(request);
        }
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        failed(request);
    }

    /** A full list was requested before its regular time. */
    public void relistWanted(WatchedKind watched) {
        counter(watched, "relist.requests", "Full lists that were requested before their regular time")
                .register(meters)
                .increment();
    }

    public void event(WatchedKind watched, String type) {
        counter(watched, "events", "Changes received, by kind")
                .tag("type", type)
                .register(meters)
                .increment();
    }

    /** A watch ended, or one that was about to open. */
    public void ended(WatchedKind watched, WatchEnd end) {
        ends(watched, end).increment();
    }

    private Counter ends(WatchedKind watched, WatchEnd end) {
        return Counter.builder("sluice.cluster.watch.ends")
                .description("Watches by how they ended")
                .tag("kind", watched.word())
                .tag("end", end.name().toLowerCase(Locale.ROOT))
                .register(meters);
    }

    /**
     * Each kind of end exists from the start at zero: a series that begins with its first event shows no rate for it.
     */
    public void countEnds(WatchedKind watched) {
        for (var end : WatchEnd.values()) {
            ends(watched, end);
        }
        errors(watched, LIST);
        errors(watched, WATCH);
    }

    /**
     * Registers the gauges of a watch that lasts as long as the process.
     *
     * @param alive whether it was begun and not closed by this process
     * @param watching whether it receives changes now
     */
    public void follow(WatchedKind watched, BooleanSupplier alive, BooleanSupplier watching) {
        Gauge.builder(watched.meterPrefix() + "alive.current", () -> alive.getAsBoolean() ? 1 : 0)
                .description("Whether the watch was begun")
                .tag("watcher_instance", watched.instance())
                .register(meters);
        Gauge.builder(
                        watched.meterPrefix() + "failing.current",
                        () -> alive.getAsBoolean() && !watching.getAsBoolean() ? 1 : 0)
                .description("Whether the watch was begun and receives nothing at present")
                .tag("watcher_instance", watched.instance())
                .register(meters);
    }

    private void failed(HttpRequest request) {
        watched(request).ifPresent(watched -> errors(watched, method(request)).increment());
    }

    private Counter errors(WatchedKind watched, String method) {
        return counter(watched, "errors", "Lists and watches that failed")
                .tag("source", method)
                .register(meters);
    }

    private static Counter.Builder counter(WatchedKind watched, String name, String description) {
        return Counter.builder(watched.meterPrefix() + name)
                .description(description)
                .tag("watcher_instance", watched.instance());
    }

    private static Optional<WatchedKind> watched(HttpRequest request) {
        var path = request.uri().getPath();
        return Arrays.stream(WatchedKind.values())
                .filter(watched -> path.endsWith(watched.path()))
                .findFirst();
    }

    private static String method(HttpRequest request) {
        var query = request.uri().getQuery();
        return query != null && query.contains("watch=true") ? WATCH : LIST;
    }
}
