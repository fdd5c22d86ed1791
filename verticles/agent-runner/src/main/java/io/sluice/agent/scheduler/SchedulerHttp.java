package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.AnswerReader;
import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.sluice.agent.scheduler.core.SchedulerAnswer;
import io.sluice.shell.http.BoundedAnswer;
import io.sluice.trace.TraceSpan;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.Address;
import io.vertx.core.net.AddressResolver;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Sends one body to one scheduler of a directory, on kept connections. If the scheduler does not respond in time, its
 * connection is closed.
 */
final class SchedulerHttp {
    private static final int KEPT_SECONDS = 60;

    private final Vertx vertx;
    private final HttpClientAgent client;
    private final SchedulerBalancer balancer = new SchedulerBalancer();
    private final SchedulerConfig config;
    private final InstantSource clock;
    private final SchedulerSecrets secrets;

    /** All schedulers, as one address that Vert.x resolves. */
    private enum Schedulers implements Address {
        KNOWN
    }

    /**
     * A connection to a scheduler.
     *
     * @param to the scheduler
     * @param request the request, without its body
     * @param end when the response must have ended
     */
    record Connected(SchedulerAddress to, HttpClientRequest request, Instant end) {}

    /** The secrets must have been read. */
    SchedulerHttp(
            Vertx vertx,
            SchedulerConfig config,
            SchedulerDirectory directory,
            InstantSource clock,
            SchedulerSecrets secrets) {
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
        client = vertx.httpClientBuilder()
                .with(options)
                .with(pool)
                .withAddressResolver(AddressResolver.mappingResolver((Schedulers all) -> directory.known().stream()
                        .map(SchedulerBalancer::socket)
                        .toList()))
                .withLoadBalancer(balancer)
                .build();
    }

    /** Replaces the trusted certificates. */
    Future<?> trust(Buffer certificates) {
        return client.updateSSLOptions(
                new ClientSSLOptions().setTrustOptions(new PemTrustOptions().addCertValue(certificates)));
    }

    /** The choice for a request to one of these, of which there is at least one, all with TLS or all without. */
    SchedulerBalancer.Choice among(List<SchedulerAddress> candidates) {
        return balancer.among(candidates);
    }

    /**
     * Fails with the reason if the scheduler that is selected cannot be reached.
     *
     * @param span what the request is sent for
     */
    Future<Connected> connect(SchedulerBalancer.Choice choice, TraceSpan span) {
        var end = clock.instant().plus(config.requestTimeout());
        var any = choice.candidates().getFirst();
        var request = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(Schedulers.KNOWN)
                .setRoutingKey(choice.routingKey())
                .setURI("/")
                .setSsl(any.tls())
                .setTimeout(config.requestTimeout().toMillis())
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        if (any.tls() && !config.tls().serverName().isEmpty()) {
            request.setHost(config.tls().serverName()).setPort(any.port());
        }
        if (span.isRecorded()) {
            request.putHeader(TraceSpan.HEADER, span.header());
        }
        secrets.token().ifPresent(token -> request.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + token));
        return client.request(request)
                .onComplete(decided -> balancer.end(choice))
                .map(connected -> new Connected(choice.selected().orElseThrow(), connected, end));
    }

    /** Fails with the reason if no response came; the request may have been carried out nevertheless. */
    Future<SchedulerAnswer> send(Connected connected, String body) {
        return BoundedAnswer.send(
                        vertx,
                        connected.request(),
                        Buffer.buffer(body),
                        Duration.between(clock.instant(), connected.end()),
                        AnswerReader.BODY_BYTES_MAX)
                .map(whole -> AnswerReader.read(
                        whole.status(),
                        Optional.ofNullable(whole.head().getHeader(HttpHeaders.RETRY_AFTER)),
                        whole.body().getBytes()));
    }

    void close() {
        client.close();
    }
}
