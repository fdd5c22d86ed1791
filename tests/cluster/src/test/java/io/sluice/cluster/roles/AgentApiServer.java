package io.sluice.cluster.roles;

import io.sluice.cluster.Place;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * The door of a gateway at which agents ask for permits.
 *
 * @param place of the gateway's process
 */
record AgentApiServer(Place place) {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(3);
    private static final String QUESTION = """
        {"protoVersion": 7, "pod": {"namespace": "default", "name": "%s"}, "metrics": null,
         "computeUnit": {"vCPUs": "250m", "mem": "1Gi"}, "resources": {"vCPUs": 1, "mem": "4Gi"}}
        """;

    /** Asks whether a VM may be as large as it is at first; the status, and the words of an answer that is none. */
    String ask(String pod) {
        var request = HttpRequest.newBuilder(URI.create("http://" + place.host() + ":" + place.agentPort() + "/"))
                .timeout(ANSWER_MAX)
                .POST(BodyPublishers.ofString(QUESTION.formatted(pod)))
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
