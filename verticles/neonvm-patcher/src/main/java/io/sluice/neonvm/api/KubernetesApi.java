package io.sluice.neonvm.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.neonvm.core.objects.NeonVmKeys;
import io.sluice.units.VmId;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends single requests to the API server. They never block and, unlike the client's own operations, are never repeated
 * without the caller. Answers arrive on the context on which this object was created.
 */
public final class KubernetesApi {
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
    private final String root;

    public KubernetesApi(Vertx vertx, KubernetesClient client, KubernetesConfig config, MeterRegistry meters) {
        this.meters = new WriteMetrics(meters);
        this.client = client;
        this.context = vertx.getOrCreateContext();
        this.timeout = config.requestTimeout();
        this.inFlightMax = config.requestsInFlightMax();
        var url = client.getConfiguration().getMasterUrl();
        this.root = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
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
        return send(request(path), timeout);
    }

    /** Opens a streamed answer: lines of JSON as they arrive. */
    public JsonStream stream(String path, JsonStream.Listener listener) {
        var request = request(path).timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        return JsonStream.open(client.getHttpClient(), request.build(), context, listener);
    }

    /** @param kind of the object, for the metrics of writes; the same below */
    public Future<Answer> create(String kind, String path, String object) {
        return write("Create", kind, request(path).post(JSON, object));
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
        return write("Patch", kind, request(path).patch(JSON_PATCH, operations), sooner);
    }

    public Future<Answer> merge(String kind, String path, String changes) {
        return write("Patch", kind, request(path).patch(MERGE_PATCH, changes));
    }

    /** Merges changes in which lists are merged by their keys, as conditions are by their types. */
    public Future<Answer> mergeLists(String kind, String path, String changes) {
        return write("Patch", kind, request(path).patch(STRATEGIC_MERGE_PATCH, changes));
    }

    public Future<Answer> delete(String kind, String path, String options) {
        return write("Delete", kind, request(path).delete(JSON, options));
    }

    private Future<Answer> write(String op, String kind, HttpRequest.Builder request) {
        return write(op, kind, request, timeout);
    }

    private Future<Answer> write(String op, String kind, HttpRequest.Builder request, Duration within) {
        return send(request, within).onComplete(ended -> meters.count(op, kind, ended));
    }

    private HttpRequest.Builder request(String path) {
        return client.getHttpClient().newHttpRequestBuilder().uri(root + path);
    }

    private Future<Answer> send(HttpRequest.Builder request, Duration within) {
        if (inFlight.incrementAndGet() > inFlightMax) {
            inFlight.decrementAndGet();
            return Future.failedFuture(new NotSentException(
                    "as many requests are under way as kubernetes.requestsInFlightMax=" + inFlightMax + " allows",
                    null));
        }
        long withinMs = Math.max(1, within.toMillis());
        Promise<Answer> promise = Promise.promise();
        var built = request.timeout(withinMs, TimeUnit.MILLISECONDS).build();
        answer(built, Duration.ofMillis(withinMs)).whenComplete((answer, failure) -> {
            inFlight.decrementAndGet();
            context.runOnContext(ignored -> {
                if (failure == null) {
                    promise.complete(answer);
                } else {
                    promise.fail(unsent(failure) ? new NotSentException(words(failure), failure) : failure);
                }
            });
        });
        return promise.future();
    }

    /** The client throws where it cannot make the request, as without a token. */
    private CompletableFuture<Answer> answer(HttpRequest request, Duration within) {
        try {
            return WholeAnswer.to(client.getHttpClient(), request, within);
        } catch (RuntimeException notMade) {
            return CompletableFuture.failedFuture(new NotSentException(words(notMade), notMade));
        }
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
