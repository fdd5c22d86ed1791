package io.sluice.lab.kubernetes;

import io.sluice.neonvm.KubernetesConfig;
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
 * A door before an API server, of which it is asked to keep requests waiting, to answer them itself or to lose their
 * answers. What goes through is noted. Plain HTTP, and no watches.
 */
public final class ApiServerProxy {
    private static final int CONNECTIONS_MAX = 64;
    private static final Predicate<Note> NONE = note -> false;

    private final Vertx vertx;
    private final KubernetesConfig server;
    private final InstantSource clock;
    private final HttpClient upstream;
    private final List<Note> notes = new CopyOnWriteArrayList<>();
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile Predicate<Note> answered = NONE;
    private volatile Predicate<Note> held = NONE;
    private volatile Predicate<Note> lost = NONE;
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
     * A request that came to the door.
     *
     * @param contentType empty where it has no body
     */
    public record Note(Instant at, HttpMethod method, String path, String contentType, String body) {
        /** Whether an object of that name is patched so. */
        public boolean patches(String name, String type) {
            return method.equals(HttpMethod.PATCH) && path.endsWith("/" + name) && contentType.startsWith(type);
        }

        /** Whether it changes anything of that object. */
        public boolean writes(String name) {
            return !method.equals(HttpMethod.GET) && path.endsWith("/" + name);
        }
    }

    private record Answer(int status, Optional<Duration> retryAfter) {}

    Future<KubernetesConfig> open() {
        listening = vertx.createHttpServer().requestHandler(this::hear);
        return listening
                .listen(0, "127.0.0.1")
                .map(open -> new KubernetesConfig(
                        "http://127.0.0.1:" + open.actualPort(),
                        server.tokenFile(),
                        "",
                        server.requestTimeout(),
                        server.resync(),
                        server.watchSilence(),
                        server.requestsInFlightMax()));
    }

    /** Nobody is let through any more, nor told so. */
    Future<Void> close() {
        return listening.close().eventually(() -> upstream.close());
    }

    /** All that came, in order. */
    List<Note> notes() {
        return List.copyOf(notes);
    }

    /** Answers the next requests with this status. */
    void failNext(int status, int count) {
        failNext(note -> true, status, count, Optional.empty());
    }

    /** Answers the next of such requests with this status. */
    void failNext(Predicate<Note> which, int status, int count, Optional<Duration> retryAfter) {
        answered = which;
        for (int i = 0; i < count; i++) {
            answers.add(new Answer(status, retryAfter));
        }
    }

    /** Such requests wait until {@link #release}. */
    void hold(Predicate<Note> which) {
        held = which;
    }

    /** Lets all that wait go on, and holds nothing more. */
    void release() {
        held = NONE;
        for (var next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }

    /** Such requests go through, and their answers do not. */
    void loseAnswers(Predicate<Note> which) {
        lost = which;
    }

    private void hear(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            var type = request.getHeader(HttpHeaders.CONTENT_TYPE);
            var note = new Note(
                    clock.instant(), request.method(), request.path(), type == null ? "" : type, body.toString());
            notes.add(note);
            if (held.test(note)) {
                var here = vertx.getOrCreateContext();
                waiting.add(() -> here.runOnContext(released -> pass(request, body, note)));
            } else {
                pass(request, body, note);
            }
        });
    }

    private void pass(HttpServerRequest request, Buffer body, Note note) {
        var own = answered.test(note) ? answers.poll() : null;
        if (own != null) {
            own.retryAfter()
                    .ifPresent(wait -> request.response().putHeader("Retry-After", Long.toString(wait.toSeconds())));
            request.response().setStatusCode(own.status()).end("{\"message\":\"this failure was asked for\"}");
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
                    if (lost.test(note)) {
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
