package io.sluice.cluster.roles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/**
 * Client of one HTTP listener of a process that replies JSON.
 *
 * @param url URL of the listener, without a slash at its end
 */
public record Console(String url) {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** The processes and their readiness. */
    JsonNode cluster() {
        return get("/api/cluster");
    }

    /** The VMs with their sizes. */
    JsonNode fleet() {
        return get("/api/fleet");
    }

    /** The ids of all processes that it sees. */
    List<String> ids() {
        return cluster()
                .path("members")
                .valueStream()
                .map(member -> member.path("id").asText())
                .toList();
    }

    /** Whether all processes exist and are ready, and permits are granted. */
    boolean observes(int processes) {
        var cluster = cluster();
        return cluster.path("ready").asBoolean() && cluster.path("members").size() == processes;
    }

    /**
     * The reply at a path.
     *
     * @throws UncheckedIOException when there is none, or its status is not 200
     */
    public JsonNode get(String path) {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(ANSWER_MAX)
                .build();
        try {
            var response = CLIENT.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException(url + path + " answers " + response.statusCode() + ": " + response.body());
            }
            return MAPPER.readTree(response.body());
        } catch (IOException silent) {
            throw new UncheckedIOException(silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
