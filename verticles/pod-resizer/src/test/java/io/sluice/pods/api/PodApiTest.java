package io.sluice.pods.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.sluice.pods.StandInApi;
import io.sluice.shell.EndlessServer;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server, or another server in its place, that does not end its answers. */
@ExtendWith(VertxExtension.class)
class PodApiTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(500);

    private final HttpClient.Factory clients = new JdkHttpClientFactory();
    private final HttpClient http = clients.newBuilder(new ConfigBuilder(Config.empty())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();

    @AfterEach
    void close() {
        http.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 500})
    void anAnswerWithoutAnEndIsCutOff(int status, Vertx vertx) throws Exception {
        for (var answer : endlessBodies(status)) {
            try (var server = new EndlessServer(answer)) {
                var request = api(vertx, server, LONG).get("/api/v1/pods");

                assertThatThrownBy(request::await)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("longer");
                await().atMost(LONG).until(() -> server.open() == 0);
                assertThat(server.mostSent()).isLessThan(EndlessServer.ENDLESS);
            }
        }
    }

    @Test
    void anAnswerThatIsTooLateIsCutOff(Vertx vertx) throws Exception {
        var answer = new EndlessServer.Answer("slow", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{", "");
        try (var server = new EndlessServer(answer)) {
            var request = api(vertx, server, SHORT).get("/api/v1/pods");

            assertThatThrownBy(request::await).isInstanceOfAny(TimeoutException.class, IOException.class);
            await().atMost(LONG).until(() -> server.open() == 0);
        }
    }

    private static List<EndlessServer.Answer> endlessBodies(int status) {
        return EndlessServer.answers(status)
                .filter(answer -> answer.name().startsWith("a body"))
                .toList();
    }

    private PodApi api(Vertx vertx, EndlessServer server, Duration timeout) {
        return new PodApi(vertx, StandInApi.client(http, "http://127.0.0.1:" + server.port()), timeout);
    }
}
