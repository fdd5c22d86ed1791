package io.sluice.agent.scheduler;

import io.sluice.agent.scheduler.core.Answer;
import io.sluice.agent.scheduler.core.AnswerReader;
import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.client.HttpResponse;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.client.WebClientOptions;
import java.time.InstantSource;
import java.util.Optional;

/** Puts one body to one scheduler, on connections that are kept. One that does not answer in time is hung up on. */
final class SchedulerClient {
    private static final int KEPT_SECONDS = 60;

    private final WebClient client;
    private final SchedulerConfig config;
    private final InstantSource clock;
    private final SchedulerSecrets secrets;

    /** The secrets must have been read. */
    SchedulerClient(Vertx vertx, SchedulerConfig config, InstantSource clock, SchedulerSecrets secrets) {
        this.config = config;
        this.clock = clock;
        this.secrets = secrets;
        var options = new HttpClientOptions()
                .setKeepAlive(true)
                .setKeepAliveTimeout(KEPT_SECONDS)
                .setTcpNoDelay(true)
                .setConnectTimeout((int) config.requestTimeout().toMillis());
        secrets.certificates()
                .ifPresent(certificates -> options.setTrustOptions(new PemTrustOptions().addCertValue(certificates)));
        // Who waits for a connection is bounded all the same: each VM asks one question at a time.
        var pool = new PoolOptions().setHttp1MaxSize(config.connections()).setMaxWaitQueueSize(-1);
        // A redirect would carry the token to whoever it names.
        client =
                WebClient.wrap(vertx.createHttpClient(options, pool), new WebClientOptions().setFollowRedirects(false));
    }

    /** Trusts these from now on. */
    Future<?> trust(Buffer certificates) {
        return client.updateSSLOptions(
                new ClientSSLOptions().setTrustOptions(new PemTrustOptions().addCertValue(certificates)));
    }

    /** Fails when no response came, with the reason; it may have been heard all the same. */
    Future<Answer> post(SchedulerAddress to, String body) {
        var host = config.tls().serverName().isEmpty() || !to.tls()
                ? to.host()
                : config.tls().serverName();
        var end = clock.instant().plus(config.requestTimeout());
        long timeoutMs = config.requestTimeout().toMillis();
        var request = client.request(
                        HttpMethod.POST, SocketAddress.inetSocketAddress(to.port(), to.host()), to.port(), host, "/")
                .ssl(to.tls())
                .connectTimeout(timeoutMs)
                .timeout(timeoutMs)
                .putHeader(HttpHeaders.CONTENT_TYPE.toString(), "application/json")
                .as(new ShortBody(AnswerReader.BODY_BYTES_MAX, clock, end));
        secrets.token().ifPresent(request::bearerTokenAuthentication);
        return request.sendBuffer(Buffer.buffer(body)).map(SchedulerClient::read);
    }

    void close() {
        client.close();
    }

    private static Answer read(HttpResponse<byte[]> response) {
        var body = response.body() == null ? new byte[0] : response.body();
        var retryAfter = Optional.ofNullable(response.getHeader(HttpHeaders.RETRY_AFTER.toString()));
        return AnswerReader.read(response.statusCode(), retryAfter, body);
    }
}
