package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A watch that the API server ends because its version is too old. */
@ExtendWith(VertxExtension.class)
class ExpiredWatchTest {
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
                var informer = client.genericKubernetesResources(ResourceDefinitionContext.fromResourceType(Pod.class))
                        .inAnyNamespace()
                        .runnableInformer(0)) {
            informer.start();
            assertThat(lists.poll(1, TimeUnit.MINUTES)).as("at first").isEqualTo("/api/v1/pods");
            assertThat(lists.poll(1, TimeUnit.MINUTES)).as("and anew").isEqualTo("/api/v1/pods");
        }
    }
}
