package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.hostile.Certificates;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Goal: writes share connections, and no write waits on a connection that is lost. Method: an HTTP/2 server that allows
 * few requests at a time on a connection.
 */
@ExtendWith(VertxExtension.class)
class WritesOverHttp2Test {
    private static final int AT_A_TIME = 10;
    private static final int ALL = WriteConnections.HTTP2_MAX * AT_A_TIME;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(500);

    private final Map<HttpConnection, AtomicInteger> received = new ConcurrentHashMap<>();
    private KubernetesClient client;

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void thatAreMoreThanAConnectionAllowsGoOverFurtherOnes(Vertx vertx) throws Exception {
        var held = new Held(ALL);
        var api = api(vertx, held::take);

        var writes = writes(api);
        held.release();

        assertThat(Future.all(writes).await().<KubernetesApi.Answer>list()).allMatch(KubernetesApi.Answer::isSuccess);
        assertThat(received).hasSize(WriteConnections.HTTP2_MAX);
    }

    @Test
    void thatFindNoConnectionInTimeAreNeverSent(Vertx vertx) throws Exception {
        var held = new Held(ALL);
        var api = api(vertx, held::take);

        var writes = writes(api);
        assertThatThrownBy(() -> write(api, SHORT).await()).isInstanceOf(KubernetesApi.NotSentException.class);
        var waiting = write(api, LONG);
        held.release();

        assertThat(waiting.await().isSuccess()).isTrue();
        assertThat(Future.all(writes).await().<KubernetesApi.Answer>list()).allMatch(KubernetesApi.Answer::isSuccess);
        assertThat(received.values().stream().mapToInt(AtomicInteger::get).sum())
                .isEqualTo(ALL + 1);
    }

    @Test
    void doNotUseAConnectionOnWhichNoReplyCame(Vertx vertx) throws Exception {
        var api = api(vertx, request -> {
            if (received.size() > 1) {
                succeed(request);
            }
        });

        assertThatThrownBy(() -> write(api, SHORT).await()).isInstanceOf(TimeoutException.class);

        assertThat(write(api, LONG).await().isSuccess()).isTrue();
        assertThat(received.values()).extracting(AtomicInteger::get).containsExactly(1, 1);
    }

    /** Requests that are answered together, and those that come later at once. */
    private static final class Held {
        private final List<HttpServerRequest> requests = new ArrayList<>();
        private final CompletableFuture<Void> all = new CompletableFuture<>();
        private final int expected;
        private boolean released;

        Held(int expected) {
            this.expected = expected;
        }

        synchronized void take(HttpServerRequest request) {
            if (released) {
                succeed(request);
                return;
            }
            requests.add(request);
            if (requests.size() == expected) {
                all.complete(null);
            }
        }

        void release() {
            all.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
            synchronized (this) {
                released = true;
                requests.forEach(WritesOverHttp2Test::succeed);
            }
        }
    }

    private static List<Future<KubernetesApi.Answer>> writes(KubernetesApi api) {
        return IntStream.range(0, ALL).mapToObj(number -> write(api, LONG)).toList();
    }

    private static Future<KubernetesApi.Answer> write(KubernetesApi api, Duration within) {
        return api.patch("Pod", "/api/v1/namespaces/a/pods/b", "[]", within);
    }

    private static void succeed(HttpServerRequest request) {
        request.response().end("{}");
    }

    private KubernetesApi api(Vertx vertx, Handler<HttpServerRequest> answers) throws Exception {
        var certificates = Certificates.ofThisRun();
        var files = certificates.files();
        var options = new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(
                        new PemKeyCertOptions().setCertPath(files.cert()).setKeyPath(files.key()))
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(AT_A_TIME));
        int port = vertx.createHttpServer(options)
                .requestHandler(request -> {
                    assertThat(request.version()).isEqualTo(HttpVersion.HTTP_2);
                    received.computeIfAbsent(request.connection(), made -> new AtomicInteger())
                            .incrementAndGet();
                    answers.handle(request);
                })
                .listen(0, "localhost")
                .await()
                .actualPort();
        var config = new KubernetesConfig(
                "https://localhost:" + port,
                "",
                certificates.authorityFile().toString(),
                LONG,
                Duration.ofMinutes(5),
                Duration.ofSeconds(90),
                2 * ALL);
        client = KubernetesConnection.open(config);
        return new KubernetesApi(vertx, client, config, new SimpleMeterRegistry());
    }
}
