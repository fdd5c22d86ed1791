package io.sluice.neonvm.api;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.hostile.Certificates;
import io.sluice.hostile.TlsClientContract;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Objects are read from an API server. */
class ApiServerTlsTest extends TlsClientContract {
    @Override
    protected Optional<String> request(String url, Certificates trusted) throws Exception {
        var token = Files.writeString(trusted.authorityFile().resolveSibling("token"), "a-token");
        var config = new KubernetesConfig(
                url,
                token.toString(),
                trusted.authorityFile().toString(),
                Duration.ofSeconds(60),
                Duration.ofMinutes(5),
                Duration.ofSeconds(90),
                16);
        var vertx = Vertx.vertx();
        try (var client = KubernetesConnection.open(config)) {
            var api = new KubernetesApi(vertx, client, config, new SimpleMeterRegistry());
            api.get("/api/v1/nodes").toCompletionStage().toCompletableFuture().get(90, TimeUnit.SECONDS);
            return Optional.empty();
        } catch (ExecutionException refused) {
            return Optional.of(KubernetesApi.words(refused));
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
        }
    }
}
