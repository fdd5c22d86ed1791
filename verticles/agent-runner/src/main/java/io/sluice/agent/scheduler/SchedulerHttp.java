package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.sluice.agent.scheduler.core.SchedulerAnswer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Sends one body to one scheduler, on kept connections. If the scheduler does not respond in time, its connection is
 * closed.
 */
final class SchedulerHttp {
    private static final int KEPT_SECONDS = 60;

    private final Vertx vertx;
    private final HttpClientAgent client;
    private final SchedulerConfig config;
    private final InstantSource clock;
    private final SchedulerSecrets secrets;

    /** The secrets must have been read. */
    SchedulerHttp(Vertx vertx, SchedulerConfig config, InstantSource clock, SchedulerSecrets secrets) {
        this.vertx = vertx;
        this.config = config;
        this.clock = clock;
        this.secrets = secrets;
        var options = new HttpClientOptions()
                .setMetricsName("scheduler")
                .setKeepAlive(true)
                .setKeepAliveTimeout(KEPT_SECONDS)
                .setTcpNoDelay(true)
                .setConnectTimeout((int) config.requestTimeout().toMillis());
        secrets.certificates()
                .ifPresent(certificates -> options.setTrustOptions(new PemTrustOptions().addCertValue(certificates)));
        // The wait queue is bounded nevertheless: each VM has one request at a time.
        var pool = new PoolOptions().setHttp1MaxSize(config.connections()).setMaxWaitQueueSize(-1);
        // Redirects are not followed: one would send the token to another server.
        client = vertx.createHttpClient(options, pool);
    }

    /** Replaces the trusted certificates. */
    Future<?> trust(Buffer certificates) {
        return client.updateSSLOptions(
                new ClientSSLOptions().setTrustOptions(new PemTrustOptions().addCertValue(certificates)));
    }

    /** Fails with the reason if no response came; the request may have been carried out nevertheless. */
    Future<SchedulerAnswer> post(SchedulerAddress to, String body) {
        var host = config.tls().serverName().isEmpty() || !to.tls()
                ? to.host()
                : config.tls().serverName();
        var end = clock.instant().plus(config.requestTimeout());
        long timeoutMs = config.requestTimeout().toMillis();
        var request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(to.port(), to.host()))
                .setHost(host)
                .setPort(to.port())
                .setURI("/")
                .setSsl(to.tls())
                .setTimeout(timeoutMs)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        secrets.token().ifPresent(token -> request.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + token));
        return client.request(request)
                .compose(connected -> BoundedAnswer.send(
                        vertx, connected, Buffer.buffer(body), Duration.between(clock.instant(), end)));
    }

    void close() {
        client.close();
    }
}
