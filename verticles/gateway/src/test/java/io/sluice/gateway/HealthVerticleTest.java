package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class HealthVerticleTest {
    private final Readiness readiness = new Readiness();
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final Shell shell = new Shell(now::get, new SimpleMeterRegistry(), readiness, new Random(1));
    private final HealthVerticle health =
            new HealthVerticle(ListenerConfig.loopback(0), shell, format -> "sluice_up 1\n# as " + format);

    @BeforeEach
    void open(Vertx vertx, VertxTestContext context) {
        vertx.deployVerticle(health).onComplete(context.succeedingThenComplete());
    }

    @Test
    void livesWhileItWaits() throws Exception {
        readiness.waitFor("cluster", "the first listing");
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(get("/livez").body()).isEqualTo("ok");
    }

    @Test
    void isDeadOnceAnEventLoopHasStoodStillForTenSeconds(Vertx vertx) throws Exception {
        assertDiesWhenALoopOf(vertx);
    }

    @Test
    void isDeadOnceAnEventLoopOfAnotherVertxHasStoodStill() throws Exception {
        var clustered = Vertx.vertx();
        try {
            health.watch(clustered);
            assertDiesWhenALoopOf(clustered);
        } finally {
            clustered.close().await();
        }
    }

    private void assertDiesWhenALoopOf(Vertx stuck) throws Exception {
        var began = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        stuck.getOrCreateContext().runOnContext(blocked -> {
            began.countDown();
            uninterrupted(end);
        });
        began.await();
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        now.set(now.get().plusMillis(9_999));
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        now.set(now.get().plusMillis(1));
        assertThat(get("/livez").statusCode()).isEqualTo(503);
        assertThat(get("/livez").body()).isEqualTo("an event loop is blocked");
        end.countDown();
        now.set(now.get().plus(Duration.ofMinutes(1)));
        while (get("/livez").statusCode() != 200) {
            // The reply comes as soon as each event loop has run its task.
        }
    }

    private static void uninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void isReadyWhenNoPartWaitsAndReportsNothingElse() throws Exception {
        readiness.waitFor("cluster", "the first listing");
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/readyz").body()).isEqualTo("not ready");
        assertThat(get("/readyz?verbose").body()).isEqualTo("not ready\ncluster: the first listing");
        readiness.ready("cluster");
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").body()).isEqualTo("ok");
    }

    @Test
    void isReadyInTroubleAndReportsIt() throws Exception {
        var sentence = new AtomicReference<>(Optional.of("the sink accepts nothing"));
        readiness.reports("billing", "sink", sentence::get);

        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").body()).isEqualTo("ok");
        assertThat(get("/readyz?verbose").body()).isEqualTo("ok\nbilling: the sink accepts nothing");

        sentence.set(Optional.empty());
        assertThat(get("/readyz?verbose").body()).isEqualTo("ok");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*/*",
                "text/html",
                "text/plain;version=0.0.4;q=0.9, application/openmetrics-text;q=0.3",
                "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"
            })
    void givesTheMetricsAsPrometheusText(String accepted) throws Exception {
        assertThat(scraped(accepted)).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    }

    /** The header of Prometheus 2.42 and the one of Prometheus 3. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                        + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
                        + "application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,*/*;q=0.2"
            })
    void givesTheMetricsAsOpenMetricsToAScraperThatPrefersThat(String accepted) throws Exception {
        assertThat(scraped(accepted)).isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
    }

    /** The media type of the reply, which is also what the metrics were requested as. */
    private String scraped(String accepted) throws Exception {
        var metrics = send(HttpRequest.newBuilder(uri("/metrics")).header("Accept", accepted));
        assertThat(metrics.statusCode()).isEqualTo(200);
        var format = metrics.headers().firstValue("content-type").orElseThrow();
        assertThat(metrics.body()).isEqualTo("sluice_up 1\n# as " + format);
        return format;
    }

    @Test
    void showsNothingElse() throws Exception {
        assertThat(get("/").statusCode()).isEqualTo(404);
        var posted = send(HttpRequest.newBuilder(uri("/livez")).POST(HttpRequest.BodyPublishers.ofString("x")));
        assertThat(posted.statusCode()).isEqualTo(405);
    }

    @Test
    void reportsThatTheMetricsCannotBeRead(Vertx vertx) throws Exception {
        var broken = new HealthVerticle(ListenerConfig.loopback(0), shell, format -> {
            throw new IllegalStateException("broken");
        });
        vertx.deployVerticle(broken).await();
        var answer = send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broken.port() + "/metrics")));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).isEqualTo("the metrics could not be read");
    }

    @Test
    void reportsWhichPortIsTakenAndHowToChangeIt(Vertx vertx) throws Exception {
        try (var taken = new ServerSocket(0)) {
            var late = new HealthVerticle(ListenerConfig.loopback(taken.getLocalPort()), shell, format -> "");
            assertThatThrownBy(() -> vertx.deployVerticle(late).await())
                    .hasMessageContaining("gateway.ops.port=" + taken.getLocalPort());
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(uri(path)));
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + health.port() + path);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    request.version(HttpClient.Version.HTTP_1_1).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
