package io.sluice.pods.kubelet;

import io.sluice.pods.core.PodsConfig;
import io.sluice.shell.http.BoundedAnswer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.PemTrustOptions;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Reads texts from the ports of kubelets, over TLS and with the token of the service account. */
public final class KubeletConnection {
    private static final int BYTES_MAX = 32 << 20;
    private static final int CONNECTIONS_MAX = 2;
    private static final int OK = 200;

    private final Vertx vertx;
    private final HttpClient http;
    private final Supplier<String> token;
    private final PodsConfig config;

    /** @param token is sent to kubelets; read for each request, as it is renewed */
    public KubeletConnection(Vertx vertx, Supplier<String> token, PodsConfig config) {
        this.vertx = vertx;
        this.token = token;
        this.config = config;
        var options = new HttpClientOptions()
                .setSsl(true)
                .setMetricsName("kubelets")
                .setConnectTimeout((int) config.kubeletTimeout().toMillis());
        if (config.kubeletInsecure()) {
            options.setTrustAll(true).setVerifyHost(false);
        } else if (!config.kubeletCaFile().isEmpty()) {
            options.setTrustOptions(new PemTrustOptions().addCertPath(config.kubeletCaFile()));
        }
        http = vertx.createHttpClient(options, new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX));
    }

    /** The whole text of a path; fails with the reason in words. */
    public Future<String> read(NodePlaces.Place place, String path) {
        var request = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setHost(place.host())
                .setPort(place.port())
                .setURI(path)
                .setTimeout(config.kubeletTimeout().toMillis())
                .putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + token.get());
        return http.request(request)
                .compose(sending -> BoundedAnswer.send(
                                vertx, sending, Buffer.buffer(), config.kubeletTimeout(), BYTES_MAX)
                        .compose(answer -> answer.status() == OK
                                ? Future.succeededFuture(answer.body().toString(StandardCharsets.UTF_8))
                                : Future.failedFuture(path + " was answered " + answer.status())));
    }

    /** Closes all connections. */
    public Future<Void> close() {
        return http.close();
    }
}
