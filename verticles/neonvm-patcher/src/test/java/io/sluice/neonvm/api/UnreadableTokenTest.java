package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The file of the service account's token cannot be read for a moment. */
@ExtendWith(VertxExtension.class)
class UnreadableTokenTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("token"), "secret\n");
    }

    @Test
    void theLastTokenStaysInForceUntilAnotherIsRead() throws IOException {
        var nanos = new AtomicLong();
        var token = new TokenFile(file, nanos::get);
        assertThat(token.getToken()).isEqualTo("secret");

        Files.delete(file);
        nanos.addAndGet(TokenFile.AGE_MAX.toNanos());
        assertThat(token.getToken()).isEqualTo("secret");

        Files.writeString(file, "");
        assertThat(token.getToken()).as("a file that is being written").isEqualTo("secret");

        Files.writeString(file, "renewed");
        assertThat(token.getToken()).isEqualTo("renewed");
    }

    @Test
    void withoutAnyTokenThereIsNoRequest() throws IOException {
        var token = new TokenFile(file, System::nanoTime);
        Files.delete(file);

        assertThatThrownBy(token::getToken)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("kubernetes.tokenFile");
    }

    @Test
    void aRequestThatCannotBeMadeIsCertainlyNotSentAndTakesNoPlace(Vertx vertx) throws Exception {
        try (var api =
                new ScriptedApi(vertx, LONG, file, request -> request.response().end("{}"))) {
            KubernetesApi requests = api.onContext(made -> made);
            Files.delete(file);
            for (int number = 0; number < api.config.requestsInFlightMax(); number++) {
                assertThat(ended(requests.get("/api/v1/nodes"))).isInstanceOf(KubernetesApi.NotSentException.class);
                assertThat(ended(requests.merge("Pod", "/api/v1/namespaces/a/pods/b", "{}")))
                        .isInstanceOf(KubernetesApi.NotSentException.class);
            }
            write();

            assertThat(requests.get("/api/v1/nodes").await().status()).isEqualTo(200);
            assertThat(requests.merge("Pod", "/api/v1/namespaces/a/pods/b", "{}")
                            .await()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aStreamThatCannotBeMadeEnds(Vertx vertx) throws Exception {
        try (var api =
                new ScriptedApi(vertx, LONG, file, request -> request.response().end("{}"))) {
            var failure = new CompletableFuture<Optional<Throwable>>();
            Files.delete(file);
            api.onContext(requests -> requests.stream("/api/v1/nodes", new JsonStream.Listener() {
                @Override
                public void opened() {}

                @Override
                public void line(JsonNode line) {}

                @Override
                public void ended(Optional<Throwable> cause) {
                    failure.complete(cause);
                }
            }));

            assertThat(failure)
                    .succeedsWithin(LONG)
                    .extracting(Optional::isPresent)
                    .isEqualTo(true);
        }
    }

    private static Throwable ended(Future<?> request) {
        return request.transform(answered -> Future.succeededFuture(answered.cause()))
                .await();
    }
}
