package io.sluice.neonvm.api;

import io.fabric8.kubernetes.client.Config;
import io.sluice.shell.LogKeys;
import io.sluice.shell.http.BoundedAnswer;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections to the API server for writes. They run on the event loop of their user. With TLS a connection carries as
 * many requests at a time as the server allows.
 */
final class WriteConnections {
    private static final Logger LOG = LoggerFactory.getLogger(WriteConnections.class);
    /** Ten times what an API server stores of one object. */
    private static final int BYTES_MAX = 16 << 20;
    /** Connections of HTTP/2. API servers allow 100 requests at a time on each, or more. */
    static final int HTTP2_MAX = 10;
    /** Connections of HTTP/1.1, each with one request at a time, for what is between or speaks no TLS. */
    private static final int HTTP1_MAX = 256;
    /** What a server may send on a connection before it is read: more than 100 answers. */
    private static final int WINDOW_BYTES = 4 << 20;

    private final Vertx vertx;
    private final HttpClient http;
    private final String root;
    private final Config config;

    /**
     * Opens no connection yet.
     *
     * @param root the URL before each path
     * @param config of the process's client of the API server
     */
    WriteConnections(Vertx vertx, String root, Config config, KubernetesConfig kubernetes) {
        this.vertx = vertx;
        this.root = root;
        this.config = config;
        boolean tls = root.startsWith("https:");
        var options = new HttpClientOptions()
                .setMetricsName("api-server")
                .setTcpNoDelay(true)
                .setProtocolVersion(tls ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
                .setUseAlpn(tls)
                .setHttp2ConnectionWindowSize(WINDOW_BYTES)
                .setConnectTimeout(Math.toIntExact(kubernetes.requestTimeout().toMillis()));
        if (!kubernetes.caFile().isEmpty()) {
            options.setTrustOptions(new PemTrustOptions().addCertPath(kubernetes.caFile()));
        }
        var pool = new PoolOptions()
                .setHttp1MaxSize(HTTP1_MAX)
                .setHttp2MaxSize(HTTP2_MAX)
                .setMaxWaitQueueSize(kubernetes.requestsInFlightMax());
        http = vertx.httpClientBuilder()
                .with(options)
                .with(pool)
                .withConnectHandler(connection -> connection.exceptionHandler(WriteConnections::record))
                .build();
    }

    /** Fails with {@link KubernetesApi.NotSentException} if the request was certainly not sent. */
    Future<KubernetesApi.Answer> send(HttpMethod method, String path, String type, String body, Duration within) {
        long until = System.nanoTime() + within.toNanos();
        return Future.succeededFuture()
                .compose(now -> http.request(request(method, path, type, within)))
                .recover(notMade -> Future.failedFuture(notSent(notMade)))
                .compose(request -> send(request, body, Duration.ofNanos(until - System.nanoTime())));
    }

    private RequestOptions request(HttpMethod method, String path, String type, Duration within) {
        var headers = MultiMap.caseInsensitiveMultiMap().set(HttpHeaders.CONTENT_TYPE, type);
        Optional.ofNullable(config.getOauthTokenProvider())
                .ifPresent(token -> headers.set(HttpHeaders.AUTHORIZATION, "Bearer " + token.getToken()));
        return new RequestOptions()
                .setMethod(method)
                .setAbsoluteURI(root + path)
                .setHeaders(headers)
                .setConnectTimeout(within.toMillis());
    }

    private Future<KubernetesApi.Answer> send(HttpClientRequest request, String body, Duration left) {
        if (!left.isPositive()) {
            request.reset();
            return Future.failedFuture(notSent(new TimeoutException()));
        }
        return BoundedAnswer.send(vertx, request, Buffer.buffer(body), left, BYTES_MAX)
                .onFailure(lost -> retire(request, lost))
                .map(whole -> KubernetesApi.Answer.of(
                        whole.status(),
                        whole.body().getBytes(),
                        RefusedException.retryAfter(whole.head().getHeader(HttpHeaders.RETRY_AFTER))));
    }

    private static KubernetesApi.NotSentException notSent(Throwable cause) {
        var reason = cause instanceof TimeoutException ? "no connection in time" : KubernetesApi.words(cause);
        return new KubernetesApi.NotSentException(reason, cause);
    }

    /** A write that fails by this reports it; on an idle connection nothing is lost. */
    private static void record(Throwable fault) {
        LOG.atDebug().addKeyValue(LogKeys.ERROR, fault).log("A connection to the API server failed.");
    }

    /** A connection that may be dead takes no further request. */
    private static void retire(HttpClientRequest request, Throwable lost) {
        if (lost instanceof TimeoutException) {
            request.connection().shutdown();
        }
    }
}
