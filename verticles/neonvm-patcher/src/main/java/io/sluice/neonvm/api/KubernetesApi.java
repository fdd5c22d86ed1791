package io.sluice.neonvm.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.sluice.shell.OnContext;
import io.sluice.units.VmId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Sends single requests to the API server. They never block and, unlike the client's own operations, are never repeated
 * without the caller. Answers arrive on the context on which this object was created.
 */
public final class KubernetesApi {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String JSON = "application/json";
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

    private final KubernetesClient client;
    private final Context context;
    private final Duration timeout;
    private final int inFlightMax;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final WriteMetrics meters;
    private final WriteConnections writes;
    private final String root;

    public KubernetesApi(Vertx vertx, KubernetesClient client, KubernetesConfig config, MeterRegistry meters) {
        this.meters = new WriteMetrics(meters);
        this.client = client;
        this.context = vertx.getOrCreateContext();
        this.timeout = config.requestTimeout();
        this.inFlightMax = config.requestsInFlightMax();
        var url = client.getConfiguration().getMasterUrl();
        this.root = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.writes = new WriteConnections(vertx, root, client.getConfiguration(), config);
    }

    /**
     * An answer with any status.
     *
     * @param status HTTP status
     * @param body its JSON, or a text if it is not JSON
     * @param retryAfter how long the server requests not to be called; zero if it does not say
     */
    public record Answer(int status, JsonNode body, Duration retryAfter) {
        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        /** A body that is not JSON is a text. */
        static Answer of(int status, byte[] body, Duration retryAfter) {
            return new Answer(status, json(body), retryAfter);
        }

        private static JsonNode json(byte[] body) {
            try {
                return MAPPER.readTree(body);
            } catch (IOException noJson) {
                return TextNode.valueOf(new String(body, StandardCharsets.UTF_8));
            }
        }
    }

    /** Thrown if a request was certainly not sent. */
    public static final class NotSentException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotSentException(String reason, Throwable cause) {
            super(reason, cause);
        }
    }

    public static String vmPath(VmId vm) {
        return vmsPath(vm.namespace()) + "/" + vm.name();
    }

    public static String vmsPath(String namespace) {
        return neonVmPath(namespace, NeonVmKeys.VMS);
    }

    public static String migrationsPath(String namespace) {
        return neonVmPath(namespace, NeonVmKeys.MIGRATIONS);
    }

    public static String podsPath(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/pods";
    }

    public static String podPath(String namespace, String name) {
        return podsPath(namespace) + "/" + name;
    }

    public static String claimPath(String namespace, String name) {
        return "/api/v1/namespaces/" + namespace + "/persistentvolumeclaims/" + name;
    }

    public static String volumePath(String name) {
        return "/api/v1/persistentvolumes/" + name;
    }

    public static String eventsPath(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/events";
    }

    private static String neonVmPath(String namespace, String plural) {
        return "/apis/" + NeonVmKeys.GROUP + "/" + NeonVmKeys.VERSION + "/namespaces/" + namespace + "/" + plural;
    }

    public Future<Answer> get(String path) {
        return bounded(() -> read(request(path)));
    }

    /** Opens a streamed answer: lines of JSON as they arrive. */
    public JsonStream stream(String path, JsonStream.Listener listener) {
        var request = request(path).timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        return JsonStream.open(client.getHttpClient(), request.build(), context, listener);
    }

    /** @param kind of the object, for the metrics of writes; the same below */
    public Future<Answer> create(String kind, String path, String object) {
        return write("Create", kind, HttpMethod.POST, path, JSON, object, timeout);
    }

    public Future<Answer> patch(String kind, String path, String operations) {
        return patch(kind, path, operations, timeout);
    }

    /**
     * Sends a patch that is valid only for a limited time.
     *
     * @param within if no connection is open by then, the patch is not sent; an answer that has not arrived by then is
     *     not awaited
     */
    public Future<Answer> patch(String kind, String path, String operations, Duration within) {
        var sooner = within.compareTo(timeout) < 0 ? within : timeout;
        return write("Patch", kind, HttpMethod.PATCH, path, JSON_PATCH, operations, sooner);
    }

    public Future<Answer> merge(String kind, String path, String changes) {
        return write("Patch", kind, HttpMethod.PATCH, path, MERGE_PATCH, changes, timeout);
    }

    /** Merges changes in which lists are merged by their keys, as conditions are by their types. */
    public Future<Answer> mergeLists(String kind, String path, String changes) {
        return write("Patch", kind, HttpMethod.PATCH, path, STRATEGIC_MERGE_PATCH, changes, timeout);
    }

    public Future<Answer> delete(String kind, String path, String options) {
        return write("Delete", kind, HttpMethod.DELETE, path, JSON, options, timeout);
    }

    private Future<Answer> write(
            String op, String kind, HttpMethod method, String path, String type, String body, Duration within) {
        return bounded(() -> writes.send(method, path, type, body, atLeastOneMs(within)))
                .onComplete(ended -> meters.count(op, kind, ended));
    }

    private HttpRequest.Builder request(String path) {
        return client.getHttpClient().newHttpRequestBuilder().uri(root + path);
    }

    private Future<Answer> bounded(Supplier<Future<Answer>> send) {
        if (inFlight.incrementAndGet() > inFlightMax) {
            inFlight.decrementAndGet();
            return Future.failedFuture(new NotSentException(
                    "as many requests are under way as kubernetes.requestsInFlightMax=" + inFlightMax + " allows",
                    null));
        }
        // Whoever calls: a connection of another event loop would pass each answer from one loop to another.
        return new OnContext(context).run(send).onComplete(answered -> inFlight.decrementAndGet());
    }

    /** The client throws where it cannot make the request, as without a token. */
    private Future<Answer> read(HttpRequest.Builder request) {
        try {
            var built =
                    request.timeout(timeout.toMillis(), TimeUnit.MILLISECONDS).build();
            return Future.fromCompletionStage(WholeAnswer.to(client.getHttpClient(), built, timeout), context)
                    .recover(failure -> Future.failedFuture(
                            unsent(failure) ? new NotSentException(words(failure), failure) : failure));
        } catch (RuntimeException notMade) {
            return Future.failedFuture(new NotSentException(words(notMade), notMade));
        }
    }

    private static Duration atLeastOneMs(Duration within) {
        return Duration.ofMillis(Math.max(1, within.toMillis()));
    }

    private static boolean unsent(Throwable failure) {
        for (var cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof HttpConnectTimeoutException
                    || cause instanceof NotSentException) {
                return true;
            }
        }
        return false;
    }

    /** The message of the innermost cause of a failure. */
    public static String words(Throwable failure) {
        var cause = failure;
        while (cause.getCause() != null && !(cause instanceof ConnectException)) {
            cause = cause.getCause();
        }
        if (cause instanceof ConnectException && cause.getMessage() == null) {
            return "no connection could be made";
        }
        if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
            return "no reply in time";
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
