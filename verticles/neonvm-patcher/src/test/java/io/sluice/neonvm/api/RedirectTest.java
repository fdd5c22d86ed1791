package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What answers in place of the API server sends the client elsewhere. */
@ExtendWith(VertxExtension.class)
class RedirectTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void isNotFollowed(int status, @TempDir Path folder, Vertx vertx) throws IOException {
        var elsewhere = new LinkedBlockingQueue<String>();
        int port = vertx.createHttpServer()
                .requestHandler(request -> {
                    elsewhere.add(request.uri());
                    request.response().end("{}");
                })
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
        var token = Files.writeString(folder.resolve("token"), "secret");
        try (var api = new ScriptedApi(
                vertx,
                LONG,
                token,
                request -> request.response()
                        .setStatusCode(status)
                        .putHeader("Location", "http://127.0.0.1:" + port + request.uri())
                        .end())) {
            List<Function<KubernetesApi, Future<KubernetesApi.Answer>>> requests = List.of(
                    requesting -> requesting.get("/api/v1/nodes"),
                    requesting -> requesting.merge("Pod", "/api/v1/namespaces/a/pods/b", "{}"));
            for (var request : requests) {
                assertThat(api.onContext(request).await().status()).isEqualTo(status);
            }
        }
        assertThat(elsewhere).isEmpty();
    }
}
