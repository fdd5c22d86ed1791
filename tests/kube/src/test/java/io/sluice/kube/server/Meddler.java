package io.sluice.kube.server;

import io.sluice.neonvm.api.KubernetesConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** A proxy between a client and an API server that forwards everything, and injects faults on request. */
public final class Meddler implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int CONNECTIONS_MAX = 64;
    private static final Predicate<String> NONE = uri -> false;

    private final Vertx vertx = Vertx.vertx();
    private final KubernetesConfig server;
    private final HttpClient http;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private final List<Requested> requests = new CopyOnWriteArrayList<>();
    private final AtomicReference<Refusal> refusal = new AtomicReference<>(new Refusal(NONE, 0, "", 0));
    private final Set<Reply> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Trigger> trigger = new AtomicReference<>(new Trigger(NONE, () -> {}));
    private final Queue<Runnable> withheld = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Predicate<String>> heldBack = new AtomicReference<>(NONE);
    private final Queue<Delayed> delayed = new ConcurrentLinkedQueue<>();
    private volatile boolean cut;
    private volatile Predicate<String> stalled = NONE;
    private volatile Predicate<String> late = NONE;
    private final int port;

    public Meddler(KubernetesConfig server) {
        this.server = server;
        this.http = vertx.createHttpClient(
                new HttpClientOptions()
                        .setSsl(true)
                        .setTrustOptions(new PemTrustOptions().addCertPath(server.caFile())),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
        this.port = done(vertx.createHttpServer()
                        .connectionHandler(this::connected)
                        .requestHandler(this::pass)
                        .listen(0, HOST))
                .actualPort();
    }

    private record Requested(Instant at, String uri) {}

    private record Trigger(Predicate<String> uris, Runnable action) {}

    /** A reply on its way to the client. */
    private static final class Reply {
        private final String uri;
        private volatile boolean stalled;

        Reply(String uri) {
            this.uri = uri;
        }
    }

    private record Refusal(Predicate<String> uris, int status, String retryAfter, int times) {}

    /** Config of a client that uses the proxy. */
    public KubernetesConfig config(Duration watchSilence) {
        return new KubernetesConfig(
                "http://" + HOST + ":" + port,
                server.tokenFile(),
                "",
                server.requestTimeout(),
                server.relistEvery(),
                watchSilence,
                server.requestsInFlightMax());
    }

    /** The URIs of all requests so far. */
    public List<String> requests() {
        return requests.stream().map(Requested::uri).toList();
    }

    /** The number of requests between two times. */
    public long requested(Instant from, Instant until) {
        return requests.stream()
                .filter(request -> !request.at().isBefore(from) && request.at().isBefore(until))
                .count();
    }

    /** Replies to that many matching requests itself, with a status. */
    public void refuse(Predicate<String> uris, int status, String retryAfter, int times) {
        refusal.set(new Refusal(uris, status, retryAfter, times));
    }

    /** A request that has been received, and is not passed on yet. */
    private record Delayed(String line, RequestOptions options, Buffer body) {}

    /**
     * Holds requests back, as a slow network does, until {@link #passDelayed}. What comes of them does not reach the
     * client.
     *
     * @param lines which, by method and URI: {@code POST /api/v1/nodes}
     */
    public void delay(Predicate<String> lines) {
        heldBack.set(lines);
    }

    /** The requests that are held back. */
    public List<String> delayed() {
        return delayed.stream().map(Delayed::line).toList();
    }

    /** Passes on what was held back, whatever became of its sender. Returns the status of each reply. */
    public List<Integer> passDelayed() {
        delay(NONE);
        var statuses = new ArrayList<Integer>();
        while (!delayed.isEmpty()) {
            var next = delayed.remove();
            statuses.add(done(http.request(next.options).compose(late -> late.send(next.body)))
                    .statusCode());
        }
        return statuses;
    }

    /** Closes all connections, and each new one, until {@link #heal}. */
    public void cut() {
        cut = true;
        cutOnce();
    }

    /** Closes all connections once; new ones are accepted. */
    public void cutOnce() {
        connections.forEach(HttpConnection::close);
    }

    /** Stops all replies that are under way or begin before {@link #heal}; connections stay open. */
    public void stall() {
        stall(uri -> true);
    }

    /** The same for these requests alone. */
    public void stall(Predicate<String> uris) {
        stalled = uris;
        underWay.stream().filter(reply -> uris.test(reply.uri)).forEach(reply -> reply.stalled = true);
    }

    /** Passes these requests, and their replies only after {@link #heal}. */
    public void withholdReplies(Predicate<String> uris) {
        late = uris;
    }

    /** Does something once, before the next of these requests passes. */
    public void before(Predicate<String> uris, Runnable action) {
        trigger.set(new Trigger(uris, action));
    }

    public void heal() {
        refuse(NONE, 0, "", 0);
        cut = false;
        stalled = NONE;
        late = NONE;
        for (var reply = withheld.poll(); reply != null; reply = withheld.poll()) {
            reply.run();
        }
    }

    private void connected(HttpConnection connection) {
        if (cut) {
            connection.close();
            return;
        }
        connections.add(connection);
        connection.closeHandler(closed -> connections.remove(connection));
    }

    private void pass(HttpServerRequest request) {
        requests.add(new Requested(Instant.now(), request.uri()));
        var due = trigger.get();
        if (due.uris().test(request.uri()) && trigger.compareAndSet(due, new Trigger(NONE, () -> {}))) {
            due.action().run();
        }
        if (stalled.test(request.uri())) {
            return;
        }
        var reported = refusal.getAndUpdate(now -> now.times() > 0 && now.uris().test(request.uri())
                ? new Refusal(now.uris(), now.status(), now.retryAfter(), now.times() - 1)
                : now);
        if (reported.times() > 0 && reported.uris().test(request.uri())) {
            var response = request.response().setStatusCode(reported.status());
            if (!reported.retryAfter().isEmpty()) {
                response.putHeader("Retry-After", reported.retryAfter());
            }
            response.end("{}");
            return;
        }
        var options = new RequestOptions()
                .setMethod(request.method())
                .setAbsoluteURI(server.url() + request.uri())
                .setHeaders(request.headers().remove("Host"));
        var line = request.method() + " " + request.uri();
        if (heldBack.get().test(line)) {
            request.body().onSuccess(body -> delayed.add(new Delayed(line, options, body)));
            return;
        }
        request.pause();
        http.request(options)
                .compose(passed -> passed.send(request))
                .onSuccess(answer -> received(answer, request))
                .onFailure(failure -> request.connection().close());
    }

    private void received(HttpClientResponse answer, HttpServerRequest request) {
        if (late.test(request.uri())) {
            answer.pause();
            var here = vertx.getOrCreateContext();
            withheld.add(() -> here.runOnContext(healed -> passBack(answer, request)));
        } else {
            passBack(answer, request);
        }
    }

    private void passBack(HttpClientResponse answer, HttpServerRequest request) {
        var response = request.response();
        if (response.closed()) {
            answer.request().reset();
            return;
        }
        var reply = new Reply(request.uri());
        underWay.add(reply);
        reply.stalled = stalled.test(reply.uri);
        response.setStatusCode(answer.statusCode()).setChunked(true);
        answer.headers().remove("Transfer-Encoding").remove("Content-Length").forEach(response::putHeader);
        response.writeHead();
        response.closeHandler(closed -> {
            underWay.remove(reply);
            answer.request().reset();
        });
        answer.handler(piece -> {
            if (!reply.stalled && !response.closed()) {
                response.write(piece);
            }
        });
        answer.endHandler(ended -> {
            if (!reply.stalled && !response.closed()) {
                underWay.remove(reply);
                response.end();
            }
        });
        answer.exceptionHandler(broken -> request.connection().close());
        answer.resume();
    }

    private static <T> T done(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError("the future failed", failed);
        }
    }

    @Override
    public void close() {
        done(vertx.close());
    }
}
