package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the API server ends, as it has forgotten the version that a watch began at. */
@ExtendWith(VertxExtension.class)
class ExpiredWatchTest {
    private static final ResourceDefinitionContext PODS = new ResourceDefinitionContext.Builder()
            .withVersion("v1")
            .withKind("Pod")
            .withPlural("pods")
            .withNamespaced(true)
            .build();

    @Test
    void listsAnew(Vertx vertx) throws InterruptedException {
        var lists = new LinkedBlockingQueue<String>();
        int port = vertx.createHttpServer()
                .requestHandler(list -> {
                    lists.add(list.path());
                    list.response()
                            .putHeader("Content-Type", "application/json")
                            .end("""
                                {"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": "5"}, "items": []}\
                                """);
                })
                .webSocketHandler(watch -> watch.writeTextMessage("""
                    {"type": "ERROR", "object": {"kind": "Status", "apiVersion": "v1", "status": "Failure",
                     "message": "too old resource version: 5 (9)", "reason": "Expired", "code": 410}}\
                    """))
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
        var config = new KubernetesConfig(
                "http://127.0.0.1:" + port,
                "",
                "",
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofMinutes(1),
                10);
        try (var client = KubernetesConnection.open(config);
                var informer =
                        client.genericKubernetesResources(PODS).inAnyNamespace().runnableInformer(0)) {
            informer.start();
            assertThat(lists.poll(1, TimeUnit.MINUTES)).as("at first").endsWith("/pods");
            assertThat(lists.poll(1, TimeUnit.MINUTES)).as("and anew").endsWith("/pods");
        }
    }
}
