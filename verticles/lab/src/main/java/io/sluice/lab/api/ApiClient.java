package io.sluice.lab.api;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.parsetools.RecordParser;
import java.time.Duration;
import java.util.function.Consumer;

/** How the lab's own parts speak to the API: over HTTP, as a controller beside Sluice would. */
public final class ApiClient {
    private static final long TIMEOUT_MS = 5000;
    private static final Duration WATCH_RETRY = Duration.ofMillis(200);
    private static final int CONNECTIONS_MAX = 32;

    private final Vertx vertx;
    private final HttpClient http;
    private final String root;
    private boolean closed;

    /** @param url of the API, without a slash at its end */
    public ApiClient(Vertx vertx, String url) {
        this.vertx = vertx;
        this.root = url;
        this.http = vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
    }

    /** Fails where the status is none of success. */
    public Future<JsonObject> get(String path) {
        return send(HttpMethod.GET, path, "", Buffer.buffer());
    }

    /** Makes an object in a collection. */
    public Future<JsonObject> create(String collection, JsonObject object) {
        return send(HttpMethod.POST, collection, "application/json", object.toBuffer());
    }

    /** Sets the named fields and leaves the others; null removes. */
    public Future<JsonObject> merge(String path, JsonObject changes) {
        return send(HttpMethod.PATCH, path, "application/merge-patch+json", changes.toBuffer());
    }

    /** Hears of every object of a collection that comes or changes, for ever. */
    public void follow(String collection, Consumer<JsonObject> changed) {
        if (closed) {
            return;
        }
        var options = new RequestOptions().setMethod(HttpMethod.GET).setAbsoluteURI(root + collection + "?watch=true");
        http.request(options)
                .compose(request -> request.send())
                .onSuccess(response -> {
                    response.handler(RecordParser.newDelimited("\n", line -> {
                        var event = line.toJsonObject();
                        if (!"DELETED".equals(event.getString("type"))) {
                            changed.accept(event.getJsonObject("object"));
                        }
                    }));
                    // Each new watch begins with all that is there, so nothing is missed in between.
                    response.endHandler(ended -> again(collection, changed));
                    response.exceptionHandler(broken -> again(collection, changed));
                })
                .onFailure(failure -> again(collection, changed));
    }

    /** Whether it was closed: nothing that fails from now on need be tried again. */
    public boolean isClosed() {
        return closed;
    }

    /** Ends all requests and watches. */
    public Future<Void> close() {
        closed = true;
        return http.close();
    }

    private void again(String collection, Consumer<JsonObject> changed) {
        if (!closed) {
            vertx.setTimer(WATCH_RETRY.toMillis(), timer -> follow(collection, changed));
        }
    }

    private Future<JsonObject> send(HttpMethod method, String path, String contentType, Buffer body) {
        var options = new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(root + path)
                .setTimeout(TIMEOUT_MS);
        if (!contentType.isEmpty()) {
            options.putHeader("Content-Type", contentType);
        }
        return http.request(options)
                .compose(request -> request.send(body))
                .compose(response -> response.body()
                        .compose(answer -> response.statusCode() / 100 == 2
                                ? Future.succeededFuture(answer.toJsonObject())
                                : Future.failedFuture(method + " " + path + " was answered " + response.statusCode()
                                        + ": " + answer.toString())));
    }
}
