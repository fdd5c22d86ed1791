package io.sluice.gateway;

import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers probes and scrapes. Needs no bus and no other verticle, so that it can stand before anything else starts: the
 * probes tell nothing but their status.
 */
public final class HealthVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(HealthVerticle.class);
    private static final String PLAIN = "text/plain; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final int SCRAPES_MAX = 4;

    private final OpsDoorConfig config;
    private final Shell shell;
    private final Supplier<String> scrape;
    private Map<String, String> reasonsSaid = Map.of();
    private boolean readySaid;
    private int scrapes;
    private volatile int port;

    /**
     * A door that is not open yet.
     *
     * @param scrape the process's metrics as Prometheus text; called off the event loop
     */
    public HealthVerticle(OpsDoorConfig config, Shell shell, Supplier<String> scrape) {
        this.config = Objects.requireNonNull(config, "config");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.scrape = Objects.requireNonNull(scrape, "scrape");
    }

    /** The port of the door; 0 until it is open. Safe from any thread. */
    public int port() {
        return port;
    }

    @Override
    public Future<?> start() {
        var server = vertx.createHttpServer(Listener.options(config.host(), config.port()))
                .requestHandler(this::handle);
        return Listener.open(server, "gateway.ops", config.host(), config.port())
                .onSuccess(opened -> {
                    port = opened;
                    LOG.atInfo()
                            .addKeyValue(LogKeys.ENDPOINT, config.host() + ":" + opened)
                            .log("Probes and metrics are served.");
                });
    }

    private void handle(HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            answer(request, 405, PLAIN, "must be GET");
            return;
        }
        switch (request.path()) {
            case "/livez" -> answer(request, 200, PLAIN, "ok");
            case "/readyz" -> ready(request);
            case "/metrics" -> metrics(request);
            case null, default -> answer(request, 404, PLAIN, "there are /metrics, /livez and /readyz here");
        }
    }

    private void ready(HttpServerRequest request) {
        var reasons = shell.readiness().reasons();
        say(reasons);
        String body = reasons.isEmpty() ? "ok" : "not ready";
        if (request.params().contains("verbose") && asksFromHere(request)) {
            body += reasons.entrySet().stream()
                    .map(part -> "\n" + part.getKey() + ": " + part.getValue())
                    .collect(Collectors.joining());
        }
        answer(request, reasons.isEmpty() ? 200 : 503, PLAIN, body);
    }

    private static boolean asksFromHere(HttpServerRequest request) {
        return request.remoteAddress() != null
                && ListenRule.isLoopback(request.remoteAddress().hostAddress());
    }

    /** Once for each change, as probes come every few seconds. */
    private void say(Map<String, String> reasons) {
        if (reasons.isEmpty() && !readySaid) {
            LOG.atInfo().log("Ready.");
        }
        if (!reasons.isEmpty() && !reasons.equals(reasonsSaid)) {
            LOG.atInfo().addKeyValue(LogKeys.REASON, reasons).log("Not ready.");
        }
        readySaid = reasons.isEmpty();
        reasonsSaid = new TreeMap<>(reasons);
    }

    private void metrics(HttpServerRequest request) {
        if (scrapes >= SCRAPES_MAX) {
            answer(request, 503, PLAIN, "too many scrapes at a time");
            return;
        }
        scrapes++;
        vertx.executeBlocking(scrape::get, false)
                .onComplete(done -> scrapes--)
                .onSuccess(text -> answer(request, 200, PROMETHEUS, text))
                .onFailure(failure -> {
                    LOG.atWarn().addKeyValue(LogKeys.ERROR, failure.toString()).log("The metrics could not be read.");
                    answer(request, 500, PLAIN, "the metrics could not be read");
                });
    }

    private static void answer(HttpServerRequest request, int status, String contentType, String body) {
        if (!request.response().closed()) {
            request.response()
                    .setStatusCode(status)
                    .putHeader(HttpHeaders.CONTENT_TYPE, contentType)
                    .end(body);
        }
    }
}
