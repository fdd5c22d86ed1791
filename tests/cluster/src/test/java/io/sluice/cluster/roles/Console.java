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
 * What one HTTP door of a process shows as JSON.
 *
 * @param url of the door, without a slash at its end
 */
record Console(String url) {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Who is there, and how each is. */
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

    /** All processes are there and ready, and permits are granted. */
    boolean sees(int processes) {
        var cluster = cluster();
        return cluster.path("ready").asBoolean() && cluster.path("members").size() == processes;
    }

    /**
     * What the door answers there.
     *
     * @throws UncheckedIOException when it does not, or with anything but 200
     */
    JsonNode get(String path) {
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
