package io.sluice.lab.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;

/**
 * A Kubernetes API server in memory, over plain HTTP: nodes and their NUMA zones, pods, events, Leases, VirtualMachines
 * and their migrations. Tests can make it fail as real ones do.
 */
public final class LabApi {
    private static final long FIRST_VERSION = 1000;
    private static final int BODY_MAX = 3 << 20;
    private static final int TOO_LARGE = 413;
    private static final long SECONDS_MAX = 600;
    private static final long BOOKMARK_EVERY_MS = 60_000;

    private final Vertx vertx;
    private final ObjectStore store;
    private final ApiRequests requests;
    private final Set<WatchStream> watches = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Failing> failing = new AtomicReference<>(new Failing(0, 0));
    private volatile ToIntFunction<String> failingWrites = path -> 0;
    private HttpServer server;

    /** @param historyMax a watch can continue from at most this many writes ago */
    public LabApi(Vertx vertx, InstantSource clock, int historyMax) {
        this.vertx = vertx;
        this.store = new ObjectStore(clock, FIRST_VERSION, historyMax);
        this.requests = new ApiRequests(store);
    }

    private record Failing(int status, int requestsLeft) {}

    /**
     * Starts to listen.
     *
     * @param port 0 takes a free one
     * @return the URL
     */
    public Future<String> start(String host, int port) {
        server = vertx.createHttpServer(new HttpServerOptions().setHost(host).setPort(port));
        return server.requestHandler(this::handle)
                .listen()
                .map(listening -> "http://" + host + ":" + listening.actualPort());
    }

    /** Stops listening and ends all watches. */
    public Future<Void> close() {
        endWatches();
        return server == null ? Future.succeededFuture() : server.close();
    }

    /** Calls the consumer for each write of a VM or pod, with whether it is gone. The consumer must not block. */
    public void publishSizes(BiConsumer<? super JsonNode, Boolean> reported) {
        store.publishSizes(reported::accept);
    }

    /** Answers the next writes and reads, but no watches, with this status and does nothing. */
    public void failNext(int status, int count) {
        failing.set(new Failing(status, count));
    }

    /**
     * Answers writes with a status and does nothing.
     *
     * @param status by path; 0 if the write is to be accepted
     */
    public void failWrites(ToIntFunction<String> status) {
        failingWrites = status;
    }

    /** Ends all watches, as a restarting server does. */
    public void endWatches() {
        watches.forEach(WatchStream::end);
    }

    private void handle(HttpServerRequest request) {
        var path = ApiPath.of(request.path());
        if (path.isEmpty()) {
            request.body().onComplete(read -> send(request, other(request)));
            return;
        }
        boolean watch = request.method() == HttpMethod.GET
                && path.get().isCollection()
                && ("true".equals(request.getParam("watch")) || "1".equals(request.getParam("watch")));
        if (watch) {
            watch(request, path.get());
            return;
        }
        request.body().onSuccess(body -> {
            int failure = failure(request);
            if (failure != 0) {
                send(request, Answer.failure(failure, "Told", "this failure was requested"));
            } else if (body.length() > BODY_MAX) {
                send(request, Answer.failure(TOO_LARGE, "RequestEntityTooLarge", "limit is " + BODY_MAX));
            } else {
                send(request, answer(request, path.get(), body));
            }
        });
    }

    /** The requested failure status for this request; 0 for none. */
    private int failure(HttpServerRequest request) {
        var failure = failing.getAndUpdate(
                now -> now.requestsLeft() > 0 ? new Failing(now.status(), now.requestsLeft() - 1) : now);
        if (failure.requestsLeft() > 0) {
            return failure.status();
        }
        return request.method() == HttpMethod.GET ? 0 : failingWrites.applyAsInt(request.path());
    }

    private Answer answer(HttpServerRequest request, ApiPath path, Buffer body) {
        try {
            return requests.answer(request, path, body);
        } catch (IllegalArgumentException noSelector) {
            return Answer.badRequest(String.valueOf(noSelector.getMessage()));
        }
    }

    private void watch(HttpServerRequest request, ApiPath path) {
        Selector selector;
        try {
            selector = ApiRequests.selector(request, path);
        } catch (IllegalArgumentException noSelector) {
            send(request, Answer.badRequest(String.valueOf(noSelector.getMessage())));
            return;
        }
        if ("websocket".equalsIgnoreCase(request.getHeader("Upgrade"))) {
            request.toWebSocket().onSuccess(socket -> follow(request, path, selector, WatchStream.of(vertx, socket)));
        } else {
            follow(request, path, selector, WatchStream.of(vertx, request.response()));
        }
    }

    private void follow(HttpServerRequest request, ApiPath path, Selector selector, WatchStream stream) {
        var watch = new Watch(path.type(), selector, stream::line);
        long from = number(request.getParam("resourceVersion"), 0);
        long seconds = Math.clamp(number(request.getParam("timeoutSeconds"), SECONDS_MAX), 1, SECONDS_MAX);
        long timer = vertx.setTimer(1000 * seconds, late -> stream.end());
        boolean bookmarks = "true".equals(request.getParam("allowWatchBookmarks"));
        long marker = vertx.setPeriodic(BOOKMARK_EVERY_MS, tick -> {
            if (bookmarks) {
                store.bookmark(watch);
            }
        });
        watches.add(stream);
        stream.whenEnded(() -> {
            vertx.cancelTimer(timer);
            vertx.cancelTimer(marker);
            watches.remove(stream);
            store.unwatch(watch);
        });
        if (!store.watch(watch, from)) {
            watch.error(Answer.expired(from, store.oldest()));
            stream.end();
        }
    }

    private static Answer other(HttpServerRequest request) {
        return switch (request.path()) {
            case "/version" ->
                Answer.of(object().put("major", "1").put("minor", "0").put("gitVersion", "v1.0.0-lab"));
            case "/livez", "/readyz", "/healthz" -> Answer.of(object().put("status", "ok"));
            default -> Answer.noSuchPath();
        };
    }

    private static void send(HttpServerRequest request, Answer answer) {
        request.response()
                .setStatusCode(answer.status())
                .putHeader("Content-Type", "application/json")
                .end(answer.body().toString());
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static long number(String text, long absent) {
        try {
            return text == null || text.isEmpty() ? absent : Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            return absent;
        }
    }
}
