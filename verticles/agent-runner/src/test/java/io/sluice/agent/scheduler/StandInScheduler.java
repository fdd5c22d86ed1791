package io.sluice.agent.scheduler;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A server on a free port that responds as a test requires, and records the requests. */
final class StandInScheduler {
    static final String GRANTED = "{\"permit\":{\"vCPUs\":1,\"mem\":\"4Gi\"}}";

    final List<JsonObject> requested = new CopyOnWriteArrayList<>();
    final List<String> credentials = new CopyOnWriteArrayList<>();
    final Set<Object> connections = ConcurrentHashMap.newKeySet();
    private final HttpServer server;
    private volatile BiConsumer<HttpServerRequest, JsonObject> answer = answering(200, GRANTED);

    StandInScheduler(Vertx vertx) {
        server = vertx.createHttpServer().connectionHandler(connections::add).requestHandler(request -> {
            credentials.add(String.valueOf(request.getHeader("Authorization")));
            request.body().onSuccess(body -> {
                var json = body.toJsonObject();
                requested.add(json);
                answer.accept(request, json);
            });
        });
    }

    StandInScheduler open() {
        return open(0);
    }

    StandInScheduler open(int port) {
        await(server.listen(port, "127.0.0.1"));
        return this;
    }

    String url() {
        return "http://127.0.0.1:" + server.actualPort();
    }

    StandInScheduler answers(BiConsumer<HttpServerRequest, JsonObject> other) {
        answer = other;
        return this;
    }

    void close() {
        await(server.close());
    }

    static BiConsumer<HttpServerRequest, JsonObject> answering(int status, String body) {
        return (request, json) -> request.response().setStatusCode(status).end(body);
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }
}
