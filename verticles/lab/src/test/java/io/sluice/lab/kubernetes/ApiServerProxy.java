package io.sluice.lab.kubernetes;

import io.sluice.neonvm.api.KubernetesConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * A proxy before an API server. On request it holds requests, answers them itself or drops their answers. It records
 * what passes. Plain HTTP, without watches.
 */
public final class ApiServerProxy {
    private static final int CONNECTIONS_MAX = 64;
    private static final Predicate<Entry> NONE = entry -> false;

    private final Vertx vertx;
    private final KubernetesConfig server;
    private final InstantSource clock;
    private final HttpClient upstream;
    private final List<Entry> entries = new CopyOnWriteArrayList<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile Predicate<Entry> answered = NONE;
    private volatile Predicate<Entry> held = NONE;
    private volatile Predicate<Entry> lost = NONE;
    private HttpServer listening;

    ApiServerProxy(Vertx vertx, KubernetesConfig server, InstantSource clock) {
        this.vertx = vertx;
        this.server = server;
        this.clock = clock;
        var options = new HttpClientOptions();
        if (!server.caFile().isEmpty()) {
            options.setTrustOptions(new PemTrustOptions().addCertPath(server.caFile()));
        }
        upstream = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
    }

    /**
     * A request that arrived at the proxy.
     *
     * @param contentType empty if it has no body
     */
    public record Entry(Instant at, HttpMethod method, String path, String contentType, String body) {
        /** Whether the request patches an object of that name with this content type. */
        public boolean patches(String name, String type) {
            return method.equals(HttpMethod.PATCH) && path.endsWith("/" + name) && contentType.startsWith(type);
        }

        /** Whether the request changes anything of that object. */
        public boolean writes(String name) {
            return !method.equals(HttpMethod.GET) && path.endsWith("/" + name);
        }
    }

    private record Answer(int status, Optional<Duration> retryAfter) {}

    Future<KubernetesConfig> open() {
        listening = vertx.createHttpServer().requestHandler(this::receive);
        return listening
                .listen(0, "127.0.0.1")
                .map(open -> new KubernetesConfig(
                        "http://127.0.0.1:" + open.actualPort(),
                        server.tokenFile(),
                        "",
                        server.requestTimeout(),
                        server.relistEvery(),
                        server.watchSilence(),
                        server.requestsInFlightMax()));
    }

    /** Passes no more requests, and answers none. */
    Future<Void> close() {
        return listening.close().eventually(() -> upstream.close());
    }

    /** All requests so far, in order. */
    List<Entry> records() {
        return List.copyOf(entries);
    }

    /** Answers the next requests with this status. */
    void failNext(int status, int count) {
        failNext(entry -> true, status, count, Optional.empty());
    }

    /** Answers the next matching requests with this status. */
    void failNext(Predicate<Entry> which, int status, int count, Optional<Duration> retryAfter) {
        answered = which;
        for (int i = 0; i < count; i++) {
            answers.add(new Answer(status, retryAfter));
        }
    }

    /** Holds matching requests until {@link #release}. */
    void hold(Predicate<Entry> which) {
        held = which;
    }

    /** Passes all held requests and holds no more. */
    void release() {
        held = NONE;
        for (var next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }

    /** Passes matching requests and drops their answers. */
    void loseAnswers(Predicate<Entry> which) {
        lost = which;
    }

    private void receive(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            var type = request.getHeader(HttpHeaders.CONTENT_TYPE);
            var entry = new Entry(
                    clock.instant(), request.method(), request.path(), type == null ? "" : type, body.toString());
            entries.add(entry);
            if (held.test(entry)) {
                var here = vertx.getOrCreateContext();
                waiting.add(() -> here.runOnContext(released -> pass(request, body, entry)));
            } else {
                pass(request, body, entry);
            }
        });
    }

    private void pass(HttpServerRequest request, Buffer body, Entry entry) {
        var own = answered.test(entry) ? answers.poll() : null;
        if (own != null) {
            own.retryAfter()
                    .ifPresent(wait -> request.response().putHeader("Retry-After", Long.toString(wait.toSeconds())));
            request.response().setStatusCode(own.status()).end("{\"message\":\"this failure was requested\"}");
            return;
        }
        var options = new RequestOptions().setMethod(request.method()).setAbsoluteURI(server.url() + request.uri());
        request.headers().forEach((name, value) -> {
            if (!name.equalsIgnoreCase("host") && !name.equalsIgnoreCase("content-length")) {
                options.addHeader(name, value);
            }
        });
        upstream.request(options)
                .compose(on -> on.send(body))
                .compose(answer -> answer.body().map(text -> {
                    if (lost.test(entry)) {
                        request.connection().close();
                        return text;
                    }
                    request.response()
                            .setStatusCode(answer.statusCode())
                            .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                            .end(text);
                    return text;
                }))
                .onFailure(broken -> request.connection().close());
    }
}
