package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class VmMetricsVerticleTest {
    private final Shell shell =
            new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
    private final VmMetricsVerticle verticle =
            new VmMetricsVerticle(ListenerConfig.loopback(0), shell, format -> "vm_size{vm=\"a\"} 1\n");

    @BeforeEach
    void open(Vertx vertx, VertxTestContext context) {
        vertx.deployVerticle(verticle).onComplete(context.succeedingThenComplete());
    }

    @Test
    void givesTheVmsMetricsAndNothingElse() throws Exception {
        var scrape = send("GET", "/metrics");
        assertThat(scrape.statusCode()).isEqualTo(200);
        assertThat(scrape.body()).isEqualTo("vm_size{vm=\"a\"} 1\n");
        assertThat(scrape.headers().firstValue("content-type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(send("GET", "/").statusCode()).isEqualTo(404);
        assertThat(send("POST", "/metrics").statusCode()).isEqualTo(405);
        assertThat(send("HEAD", "/metrics").statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + verticle.port() + path))
                            .version(HttpClient.Version.HTTP_1_1)
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
