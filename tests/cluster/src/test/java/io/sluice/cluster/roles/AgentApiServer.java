package io.sluice.cluster.roles;

import io.sluice.cluster.process.Place;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * The agent API of a gateway.
 *
 * @param place place of the gateway's process
 */
record AgentApiServer(Place place) {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(3);
    private static final String REQUEST = """
        {"protoVersion": 7, "pod": {"namespace": "default", "name": "%s"}, "metrics": null,
         "computeUnit": {"vCPUs": "250m", "mem": "1Gi"}, "resources": {"vCPUs": 1, "mem": "4Gi"}}
        """;

    /** Requests a permit for the VM's first size; returns the status, and the text of a reply without a permit. */
    String request(String pod) {
        var request = HttpRequest.newBuilder(URI.create("http://" + place.host() + ":" + place.agentPort() + "/"))
                .timeout(ANSWER_MAX)
                .POST(BodyPublishers.ofString(REQUEST.formatted(pod)))
                .build();
        try {
            var answer = CLIENT.send(request, BodyHandlers.ofString());
            return answer.statusCode() == 200 ? "200" : answer.statusCode() + " " + answer.body();
        } catch (IOException silent) {
            return silent.toString();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
