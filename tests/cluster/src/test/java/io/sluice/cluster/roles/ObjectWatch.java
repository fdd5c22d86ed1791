package io.sluice.cluster.roles;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Every write to a collection of an API server, in order: a list, then a watch from its version on, which is resumed
 * where it ended.
 */
public final class ObjectWatch implements AutoCloseable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI collection;
    private final Consumer<JsonObject> written;
    private final CountDownLatch listed = new CountDownLatch(1);
    private final Thread thread;
    private volatile Optional<String> lost = Optional.empty();
    private volatile boolean closed;
    private String version = "";

    /** Starts; the objects that exist already come first. */
    public ObjectWatch(String collection, Consumer<JsonObject> written) throws InterruptedException {
        this.collection = URI.create(collection);
        this.written = written;
        thread = Thread.ofPlatform().daemon().name("object-watch").start(this::live);
        listed.await();
        lost.ifPresent(reason -> {
            throw new IllegalStateException(reason);
        });
    }

    /** Why writes may be missing; empty if none is. */
    public Optional<String> lost() {
        return lost;
    }

    private void live() {
        try {
            list();
            listed.countDown();
            while (lost.isEmpty()) {
                follow();
            }
        } catch (IOException | UncheckedIOException broken) {
            if (!closed) {
                lost = Optional.of("the watch of " + collection + " broke: " + broken);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            listed.countDown();
        }
    }

    private void list() throws IOException, InterruptedException {
        var list = new JsonObject(get(collection, BodyHandlers.ofString()).body());
        version = list.getJsonObject("metadata").getString("resourceVersion");
        list.getJsonArray("items").forEach(item -> written.accept((JsonObject) item));
    }

    private void follow() throws IOException, InterruptedException {
        var uri = URI.create(collection + "?watch=true&resourceVersion=" + version);
        try (var lines = get(uri, BodyHandlers.ofLines()).body()) {
            lines.map(JsonObject::new).forEach(this::report);
        }
    }

    private void report(JsonObject event) {
        var object = event.getJsonObject("object");
        if ("ERROR".equals(event.getString("type"))) {
            lost = Optional.of("the watch of " + collection + " was refused: " + object);
            return;
        }
        version = object.getJsonObject("metadata").getString("resourceVersion");
        written.accept(object);
    }

    private <T> HttpResponse<T> get(URI uri, HttpResponse.BodyHandler<T> body)
            throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri).build(), body);
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        http.shutdownNow();
    }
}
