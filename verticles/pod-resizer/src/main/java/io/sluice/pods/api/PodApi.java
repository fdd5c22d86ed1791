package io.sluice.pods.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.sluice.pods.core.PodKey;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Reads and patches single objects, so many at a time; others wait in order. Answers arrive on the context of whoever
 * made it.
 */
public final class PodApi {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final int IN_FLIGHT_MAX = 200;
    private static final int WAITING_MAX = 20_000;

    private final KubernetesClient client;
    private final Context context;
    private final Duration timeout;
    private final String root;
    private final RequestTurns turns;

    /** @param timeout the longest time that a request waits for its answer */
    public PodApi(Vertx vertx, KubernetesClient client, Duration timeout) {
        this.turns = new RequestTurns(vertx, IN_FLIGHT_MAX, WAITING_MAX);
        this.client = client;
        this.context = vertx.getOrCreateContext();
        this.timeout = timeout;
        var url = client.getConfiguration().getMasterUrl();
        this.root = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /**
     * An answer with any status.
     *
     * @param status HTTP status
     * @param body its JSON, or a text if it is none
     */
    public record Answer(int status, JsonNode body) {
        /** Whether the request was carried out. */
        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        /** The message of a Status object. */
        public String words() {
            return body.path("message").asText(body.isTextual() ? body.asText() : "");
        }
    }

    /** Thrown if a request was certainly not sent. */
    public static final class NotSentException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotSentException(String reason) {
            super(reason, null, false, false);
        }
    }

    /** The path of a pod. */
    public static String path(PodKey pod) {
        return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
    }

    /** Reads an object. */
    public Future<Answer> get(String path) {
        return send(request(path), timeout);
    }

    /** Sends a JSON Patch, which is not awaited longer than that. */
    public Future<Answer> patch(String path, String operations, Duration within) {
        return send(request(path).patch(JSON_PATCH, operations), within.compareTo(timeout) < 0 ? within : timeout);
    }

    /** As {@link #patch}, for what can wait: all other requests pass it. */
    public Future<Answer> patchLast(String path, String operations, Duration within) {
        return turns.sendLast(within, leftMs -> send(request(path).patch(JSON_PATCH, operations), leftMs));
    }

    /** Creates an object. */
    public Future<Answer> create(String path, String object) {
        return send(request(path).post("application/json", object), timeout);
    }

    private HttpRequest.Builder request(String path) {
        return client.getHttpClient().newHttpRequestBuilder().uri(root + path);
    }

    private Future<Answer> send(HttpRequest.Builder request, Duration within) {
        return turns.send(within, leftMs -> send(request, leftMs));
    }

    private Future<Answer> send(HttpRequest.Builder request, long withinMs) {
        Promise<Answer> promise = Promise.promise();
        var built = request.timeout(withinMs, TimeUnit.MILLISECONDS).build();
        AnswerText.to(client.getHttpClient(), built, withinMs)
                .whenComplete((answer, failure) -> context.runOnContext(turn -> {
                    if (failure == null) {
                        promise.complete(new Answer(answer.status(), json(answer.body())));
                    } else {
                        promise.fail(unsent(failure) ? new NotSentException(words(failure)) : failure);
                    }
                }));
        return promise.future();
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException noJson) {
            return TextNode.valueOf(text);
        }
    }

    private static boolean unsent(Throwable failure) {
        for (var cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /** The message of the innermost cause of a failure. */
    public static String words(Throwable failure) {
        var cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
