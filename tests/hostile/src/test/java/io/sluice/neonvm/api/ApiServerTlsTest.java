package io.sluice.neonvm.api;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.hostile.Certificates;
import io.sluice.hostile.TlsClientContract;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Objects are read from an API server. */
@ExtendWith(VertxExtension.class)
class ApiServerTlsTest extends TlsClientContract {
    private Vertx vertx;

    @BeforeEach
    void keep(Vertx injected) {
        vertx = injected;
    }

    @Override
    protected Optional<String> request(String url, Certificates trusted) throws Exception {
        var config = new KubernetesConfig(
                url,
                trusted.tokenFile().toString(),
                trusted.authorityFile().toString(),
                Duration.ofSeconds(60),
                Duration.ofMinutes(5),
                Duration.ofSeconds(90),
                16);
        try (var client = KubernetesConnection.open(config)) {
            return send(new KubernetesApi(vertx, client, config, new SimpleMeterRegistry()))
                    .map(answer -> Optional.<String>empty())
                    .otherwise(refused -> Optional.of(KubernetesApi.words(refused)))
                    .await();
        }
    }

    protected Future<KubernetesApi.Answer> send(KubernetesApi api) {
        return api.get("/api/v1/nodes");
    }
}
