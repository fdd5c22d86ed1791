package io.sluice.lab.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Sends plain requests with the credentials of a client, and returns answers of any status. */
public final class RawApi {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String JSON = "application/json";
    private static final int ANSWER_MAX_S = 60;

    private final KubernetesClient client;
    private final String root;

    public RawApi(KubernetesClient client) {
        this.client = client;
        this.root = client.getConfiguration().getMasterUrl().replaceAll("/$", "");
    }

    /** An answer. */
    public record Reply(int status, JsonNode body) {}

    public Reply get(String path) {
        return send(request(path).build());
    }

    public Reply post(String path, String body) {
        return send(request(path).post(JSON, body).build());
    }

    public Reply put(String path, String body) {
        return send(request(path).put(JSON, body).build());
    }

    public Reply patch(String path, String contentType, String body) {
        return send(request(path).patch(contentType, body).build());
    }

    public Reply delete(String path, String body) {
        return send(request(path).delete(JSON, body).build());
    }

    /** The lines of a streamed answer, as they arrive. */
    public List<String> stream(String path) {
        var lines = new CopyOnWriteArrayList<String>();
        try {
            var answer = client.getHttpClient()
                    .consumeBytes(request(path).forStreaming().build(), (buffers, body) -> {
                        buffers.forEach(buffer ->
                                lines.add(StandardCharsets.UTF_8.decode(buffer).toString()));
                        body.consume();
                    })
                    .get(ANSWER_MAX_S, TimeUnit.SECONDS);
            answer.body().consume();
            return lines;
        } catch (Exception noAnswer) {
            throw new AssertionError("no answer to " + path, noAnswer);
        }
    }

    private HttpRequest.Builder request(String path) {
        return client.getHttpClient().newHttpRequestBuilder().uri(root + path);
    }

    private Reply send(HttpRequest request) {
        try {
            var answer = client.getHttpClient().sendAsync(request, String.class).get(ANSWER_MAX_S, TimeUnit.SECONDS);
            return new Reply(answer.code(), MAPPER.readTree(answer.body()));
        } catch (Exception noAnswer) {
            throw new AssertionError("no answer to " + request.method() + " " + request.uri(), noAnswer);
        }
    }
}
