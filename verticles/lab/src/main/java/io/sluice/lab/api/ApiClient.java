package io.sluice.lab.api;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.parsetools.RecordParser;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The API client of the lab's own parts: over HTTP, as a controller outside the process would use it. */
public final class ApiClient {
    private static final long TIMEOUT_MS = 5000;
    private static final Duration WATCH_RETRY = Duration.ofMillis(200);
    private static final int CONNECTIONS_MAX = 32;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    private final Vertx vertx;
    private final HttpClient http;
    private final ApiEndpoint server;
    private boolean closed;

    public ApiClient(Vertx vertx, ApiEndpoint server) {
        this.vertx = vertx;
        this.server = server;
        var options = new HttpClientOptions().setMetricsName("lab");
        if (!server.caFile().isEmpty()) {
            options.setTrustOptions(new PemTrustOptions().addCertPath(server.caFile()));
        }
        this.http = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
    }

    /** Fails if the status is not success. */
    public Future<JsonObject> get(String path) {
        return send(HttpMethod.GET, path, "", Buffer.buffer());
    }

    /** The object, or empty if it does not exist. */
    public Future<Optional<JsonObject>> find(String path) {
        return get(path).map(Optional::of).recover(failure -> nothingIfGone(failure, Optional.empty()));
    }

    /** Creates an object in a collection, or a subresource of one. */
    public Future<JsonObject> create(String collection, JsonObject object) {
        return send(HttpMethod.POST, collection, "application/json", object.toBuffer());
    }

    /** Sets the given fields and keeps the others; null removes a field. */
    public Future<JsonObject> merge(String path, JsonObject changes) {
        return send(HttpMethod.PATCH, path, "application/merge-patch+json", changes.toBuffer());
    }

    /** As {@link #merge}; also completes if the object does not exist. */
    public Future<Void> mergeIfThere(String path, JsonObject changes) {
        return merge(path, changes).<Void>mapEmpty().recover(failure -> nothingIfGone(failure, null));
    }

    /** Deletes an object at once, as no kubelet ends pods here; also completes if the object does not exist. */
    public Future<Void> delete(String path) {
        return send(HttpMethod.DELETE, path + "?gracePeriodSeconds=0", "", Buffer.buffer())
                .<Void>mapEmpty()
                .recover(failure -> nothingIfGone(failure, null));
    }

    /** Whether the object had changed in between, so that reading it again may help. */
    public static boolean isConflict(Throwable failure) {
        return failure instanceof RefusedException refused && refused.status == CONFLICT;
    }

    /** Follows all changes and deletions of objects in a collection, for ever. */
    public void follow(String collection, Consumer<JsonObject> changed, Consumer<JsonObject> gone) {
        if (closed) {
            return;
        }
        var options = options(HttpMethod.GET, collection + "?watch=true");
        request(options)
                .compose(request -> request.send())
                .onSuccess(response -> {
                    if (response.statusCode() == OK) {
                        response.handler(
                                RecordParser.newDelimited("\n", line -> report(line.toJsonObject(), changed, gone)));
                    }
                    // Each new watch begins with all existing objects, so no change is missed in between.
                    response.endHandler(ended -> again(collection, changed, gone));
                    response.exceptionHandler(broken -> again(collection, changed, gone));
                })
                .onFailure(failure -> again(collection, changed, gone));
    }

    /** An error is not an object: the server ends the watch after it. */
    private static void report(JsonObject event, Consumer<JsonObject> changed, Consumer<JsonObject> gone) {
        switch (event.getString("type")) {
            case "ADDED", "MODIFIED" -> changed.accept(event.getJsonObject("object"));
            case "DELETED" -> gone.accept(event.getJsonObject("object"));
            default -> {}
        }
    }

    /** Whether it was closed: what fails from now on need not be repeated. */
    public boolean isClosed() {
        return closed;
    }

    /** Ends all requests and watches. */
    public Future<Void> close() {
        closed = true;
        return http.close();
    }

    private void again(String collection, Consumer<JsonObject> changed, Consumer<JsonObject> gone) {
        if (!closed) {
            vertx.setTimer(WATCH_RETRY.toMillis(), timer -> follow(collection, changed, gone));
        }
    }

    private static <T> Future<T> nothingIfGone(Throwable failure, T nothing) {
        return failure instanceof RefusedException refused && refused.status == NOT_FOUND
                ? Future.succeededFuture(nothing)
                : Future.failedFuture(failure);
    }

    private Future<JsonObject> send(HttpMethod method, String path, String contentType, Buffer body) {
        var options = options(method, path).setTimeout(TIMEOUT_MS);
        if (!contentType.isEmpty()) {
            options.putHeader("Content-Type", contentType);
        }
        return request(options)
                .compose(request -> request.send(body).compose(response -> object(method + " " + path, response)));
    }

    private static Future<JsonObject> object(String request, HttpClientResponse response) {
        int status = response.statusCode();
        return response.body()
                .compose(answer -> status / 100 == 2
                        ? Future.succeededFuture(answer.toJsonObject())
                        : Future.failedFuture(
                                new RefusedException(status, request + " was answered " + status + ": " + answer)));
    }

    private RequestOptions options(HttpMethod method, String path) {
        var options = new RequestOptions().setMethod(method).setAbsoluteURI(server.url() + path);
        return server.token().isEmpty() ? options : options.putHeader("Authorization", "Bearer " + server.token());
    }

    /** If everything is closed at once, Vert.x closes the client before its verticle, and then the client throws. */
    private Future<HttpClientRequest> request(RequestOptions options) {
        try {
            return http.request(options);
        } catch (IllegalStateException clientIsClosed) {
            closed = true;
            return Future.failedFuture(clientIsClosed);
        }
    }

    /** The API server answered with a status that is not success. */
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        RefusedException(int status, String message) {
            super(message);
            this.status = status;
        }
    }
}
