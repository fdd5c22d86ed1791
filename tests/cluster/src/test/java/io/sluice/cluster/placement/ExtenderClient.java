package io.sluice.cluster.placement;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/** The calls of a scheduler to its extender, as kube-scheduler makes them. */
final class ExtenderClient {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    private final String url;
    private final Duration timeout;

    /** @param timeout of each call; a call that takes longer may have its effect all the same */
    ExtenderClient(String url, Duration timeout) {
        this.url = url;
        this.timeout = timeout;
    }

    /** The nodes that can take the pod. */
    List<String> filter(JsonObject pod, List<String> nodes) throws IOException, InterruptedException {
        var reply = post("filter", new JsonObject().put("Pod", pod).put("NodeNames", new JsonArray(nodes)));
        return reply.getJsonArray("NodeNames", new JsonArray()).stream()
                .map(String.class::cast)
                .toList();
    }

    /** Binds the pod. Returns why it is not bound, or nothing. */
    String bind(JsonObject pod, String node) throws IOException, InterruptedException {
        var metadata = pod.getJsonObject("metadata");
        return post(
                        "bind",
                        new JsonObject()
                                .put("PodName", metadata.getString("name"))
                                .put("PodNamespace", metadata.getString("namespace"))
                                .put("PodUID", metadata.getString("uid"))
                                .put("Node", node))
                .getString("Error", "");
    }

    private JsonObject post(String verb, JsonObject body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url + "/" + verb))
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.encode()))
                .build();
        var reply = HTTP.send(request, BodyHandlers.ofString());
        if (reply.statusCode() != 200) {
            throw new IOException(verb + " was answered " + reply.statusCode() + ": " + reply.body());
        }
        return new JsonObject(reply.body());
    }
}
