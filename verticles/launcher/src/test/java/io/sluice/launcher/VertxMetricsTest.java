package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: Vert.x is measured, and nobody who sends to the process chooses the number of series. */
class VertxMetricsTest {
    private static final int MANY = 50;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Vertx vertx;
    private HttpServer server;

    @BeforeEach
    void start() {
        vertx = new VertxMetrics(meters, Map.of()).builder(new VertxOptions()).build();
        server = vertx.createHttpServer()
                .requestHandler(request -> request.response()
                        .setStatusCode(200 + Integer.parseInt(request.path().substring(1)) % MANY)
                        .end())
                .listen(0, "127.0.0.1")
                .await();
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    @Test
    void anAddressOfOneProcessCountsAsThatOfAll() {
        for (int i = 0; i < MANY; i++) {
            var address = "status@process-" + i;
            vertx.eventBus()
                    .<Buffer>consumer(address, message -> message.reply(Buffer.buffer()))
                    .completion()
                    .await();
            vertx.eventBus().request(address, Buffer.buffer()).await();
        }

        assertThat(values("vertx.eventbus.sent", "address")).containsExactly(Map.entry("status", (double) MANY));
        assertThat(values("vertx.eventbus.handlers", "address")).containsExactly(Map.entry("status", (double) MANY));
    }

    @Test
    void methodsOfClientsAndCodesOfServersMakeNoSeries() {
        var client = vertx.createHttpClient(new HttpClientOptions().setMetricsName("test"));
        var replied = Promise.<Buffer>promise();
        // From a thread without a context, Vert.x 5.0.10 loses the end of a response now and then.
        vertx.runOnContext(on -> requestsFrom(client, 0).onComplete(replied));
        replied.future().await();
        // Vert.x closes a client that is not referenced any more, also while it awaits a response.
        Reference.reachabilityFence(client);

        assertThat(values("vertx.http.server.requests", "method")).containsOnlyKeys("other");
        assertThat(values("vertx.http.client.responses", "code")).containsExactly(Map.entry("2xx", (double) MANY));
        assertThat(values("vertx.http.client.responses", "client_name")).containsOnlyKeys("test");
        assertThat(meters.find("vertx.pool.completed").tag("pool_type", "http").counters())
                .extracting(pool -> pool.getId().getTag("pool_name"))
                .containsExactly("other");
        assertThat(meters.find("vertx.pool.ratio").tag("pool_type", "http").gauges())
                .isEmpty();
    }

    @Test
    void aServerThatIsNoListenerHasNoSeriesOfItsOwn() {
        assertThat(values("vertx.http.server.active.connections", "local").keySet())
                .isSubsetOf("other");
    }

    @Test
    void twoOfThemInOneJvmAreCountedApart() {
        var others = new SimpleMeterRegistry();
        var other =
                new VertxMetrics(others, Map.of()).builder(new VertxOptions()).build();
        try {
            other.eventBus()
                    .<Buffer>consumer("elsewhere", message -> {})
                    .completion()
                    .await();

            assertThat(others.find("vertx.eventbus.handlers").gauge()).isNotNull();
            assertThat(meters.find("vertx.eventbus.handlers").gauge()).isNull();
        } finally {
            other.close().await();
        }
    }

    private Future<Buffer> requestsFrom(HttpClient client, int number) {
        if (number == MANY) {
            return Future.succeededFuture();
        }
        return client.request(HttpMethod.valueOf("METHOD" + number), server.actualPort(), "127.0.0.1", "/" + number)
                .compose(request -> request.send().compose(HttpClientResponse::body))
                .compose(body -> requestsFrom(client, number + 1));
    }

    private Map<String, Double> values(String name, String label) {
        return meters.find(name).meters().stream()
                .collect(Collectors.toMap(
                        meter -> String.valueOf(meter.getId().getTag(label)), VertxMetricsTest::value, Double::sum));
    }

    private static double value(Meter meter) {
        return meter.measure().iterator().next().getValue();
    }
}
