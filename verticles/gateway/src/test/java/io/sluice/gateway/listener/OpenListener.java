package io.sluice.gateway.listener;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import javax.net.ssl.SSLContext;

/** A listener that a test opened, with a client before it. */
final class OpenListener {
    static final String TOKEN = "the-token-of-this-test";
    static final ListenerTimeouts PATIENT = new ListenerTimeouts(
            Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1));

    private final Vertx vertx;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final Shell shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
    private HttpListener listener;

    OpenListener(Vertx vertx) {
        this.vertx = vertx;
    }

    OpenListener open(ListenerConfig config, ListenerSpec spec, ListenerTimeouts timeouts) {
        vertx.deployVerticle(new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        return HttpListener.open(vertx, shell, config, spec, timeouts)
                                .onSuccess(opened -> listener = opened);
                    }

                    @Override
                    public Future<?> stop() {
                        return listener.close();
                    }
                })
                .await();
        return this;
    }

    OpenListener open(ListenerConfig config) {
        return open(config, behind(), PATIENT);
    }

    /** Every admitted client gets {@code inside}. */
    static ListenerSpec behind() {
        return ListenerSpec.of(
                "gateway.test", router -> router.route().handler(context -> Replies.text(context, 200, "inside")));
    }

    HttpListener listener() {
        return listener;
    }

    static HttpRequest.Builder requesting(HttpListener listener, String path) {
        return HttpRequest.newBuilder(URI.create(listener.url() + path))
                .version(HttpClient.Version.HTTP_1_1)
                .timeout(Duration.ofSeconds(20));
    }

    static HttpRequest.Builder bearing(HttpRequest.Builder request, String token) {
        return request.header("Authorization", "Bearer " + token);
    }

    static HttpResponse<String> send(HttpRequest.Builder request, SSLContext tls) throws Exception {
        var builder = HttpClient.newBuilder();
        if (tls != null) {
            builder.sslContext(tls);
        }
        try (var client = builder.build()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        var request = requesting(listener, path);
        return send(headers.length == 0 ? request : request.headers(headers), null);
    }

    /**
     * Returns the reply to these bytes until the listener closes the connection; also for headers that a client would
     * not send.
     */
    String raw(String bytes) throws IOException {
        try (var socket = new Socket("127.0.0.1", listener.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    double count(String name, String... tags) {
        return meters.counter(name, tags).count();
    }
}
