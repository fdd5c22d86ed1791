package io.sluice.kube.server;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** Requests to etcd itself, by its HTTP gateway. */
final class Etcd {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Etcd() {}

    /** Deletes a key; returns how many objects it had. */
    static int deleteRange(String url, String key) {
        var body = new JsonObject()
                .put("key", Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)))
                .encode();
        var request = HttpRequest.newBuilder(URI.create(url + "/v3/kv/deleterange"))
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try (var http = HttpClient.newHttpClient()) {
            var answer =
                    http.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return Integer.parseInt(new JsonObject(answer).getString("deleted", "0"));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
