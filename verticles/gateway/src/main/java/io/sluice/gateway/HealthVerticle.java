package io.sluice.gateway;

import io.sluice.gateway.listener.HttpListener;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.ListenerSpec;
import io.sluice.gateway.listener.Replies;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Reloadable;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves probes and metrics. It needs no bus and no other verticle, so that it can start first. The probes need no
 * credential and show nothing but their status.
 */
public final class HealthVerticle extends VerticleBase implements Reloadable<ListenerConfig> {
    private static final Logger LOG = LoggerFactory.getLogger(HealthVerticle.class);
    private static final String VERBOSE = "verbose";
    private static final Duration STALL_MAX = Duration.ofSeconds(10);

    private final ListenerConfig config;
    private final Shell shell;
    private final UnaryOperator<String> scrape;
    private final EventLoops loops = new EventLoops();
    private Map<String, String> reasonsLogged = Map.of();
    private boolean readyLogged;
    private ScrapeHandler metrics;
    private volatile HttpListener listener;

    /**
     * Creates a verticle whose listener opens at its start.
     *
     * @param scrape returns the process's metrics in a format that Prometheus reads, given its media type; called off
     *     the event loop
     */
    public HealthVerticle(ListenerConfig config, Shell shell, UnaryOperator<String> scrape) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.scrape = Objects.requireNonNull(scrape, "scrape");
    }

    /** Returns the port of the listener; 0 until it is open. Safe from any thread. */
    public int port() {
        return listener == null ? 0 : listener.port();
    }

    /**
     * From now on the liveness probe also fails when an event loop of this Vert.x blocks, beside those of its own. Safe
     * from any thread.
     */
    public void watch(Vertx other) {
        loops.watch(other);
    }

    @Override
    public Future<?> start() {
        loops.watch(vertx);
        metrics = new ScrapeHandler(vertx, scrape);
        var spec = ListenerSpec.of(GatewayConfig.OPS, this::addRoutes)
                .expecting(ListenerSpec.Kind.PRIVATE)
                .exempting(HealthVerticle::isProbe);
        return HttpListener.open(vertx, shell, config, spec).onSuccess(opened -> listener = opened);
    }

    @Override
    public Future<?> stop() {
        return listener.close();
    }

    @Override
    public Future<Void> reload(ListenerConfig section) {
        return listener.reload(section);
    }

    private static boolean isProbe(HttpServerRequest request) {
        return isReading(request)
                && ("/livez".equals(request.path()) || "/readyz".equals(request.path()))
                && !request.params().contains(VERBOSE);
    }

    private static boolean isReading(HttpServerRequest request) {
        return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
    }

    private void addRoutes(Router router) {
        reading(router, "/livez").handler(this::live);
        reading(router, "/readyz").handler(this::ready);
        reading(router, "/metrics").handler(metrics);
    }

    static Route reading(Router router, String path) {
        return router.route(path).method(HttpMethod.GET).method(HttpMethod.HEAD);
    }

    /** One probe submits a task to each event loop; a later one checks whether it ran. */
    private void live(RoutingContext context) {
        var stall = loops.longestStall(shell.clock().instant());
        if (stall.compareTo(STALL_MAX) < 0) {
            Replies.text(context, 200, "ok");
        } else {
            Replies.text(context, 503, "an event loop is blocked");
        }
    }

    private void ready(RoutingContext context) {
        var request = context.request();
        var reasons = shell.readiness().reasons();
        log(reasons);
        String body = reasons.isEmpty() ? "ok" : "not ready";
        if (request.params().contains(VERBOSE) && mayReadWhy(request.remoteAddress())) {
            body += Stream.concat(
                            reasons.entrySet().stream().map(part -> part.getKey() + ": " + part.getValue()),
                            shell.readiness().troubles().stream()
                                    .map(trouble -> trouble.part() + ": " + trouble.sentence()))
                    .map(line -> "\n" + line)
                    .collect(Collectors.joining());
        }
        Replies.text(context, reasons.isEmpty() ? 200 : 503, body);
    }

    /** Where a token is configured, every request that arrives here has shown it. */
    private boolean mayReadWhy(SocketAddress caller) {
        return config.requiresToken() || caller != null && ListenerConfig.isLoopback(caller.hostAddress());
    }

    /** Logs once for each change, as probes arrive every few seconds. */
    private void log(Map<String, String> reasons) {
        if (reasons.isEmpty() && !readyLogged) {
            LOG.atInfo().log("Ready.");
        }
        if (!reasons.isEmpty() && !reasons.equals(reasonsLogged)) {
            LOG.atInfo().addKeyValue(LogKeys.REASON, reasons).log("Not ready.");
        }
        readyLogged = reasons.isEmpty();
        reasonsLogged = new TreeMap<>(reasons);
    }
}
