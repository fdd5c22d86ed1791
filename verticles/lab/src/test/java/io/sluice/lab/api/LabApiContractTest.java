package io.sluice.lab.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The lab's API fulfils what Sluice needs. */
@ExtendWith({LabServer.class, VertxExtension.class})
class LabApiContractTest extends ApiServerContract {
    @Test
    void deletesOnlyTheVersionThatIsMeant() {
        var version = raw.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"versioned\"}}")
                .body()
                .at("/metadata/resourceVersion")
                .asText();

        assertThat(raw.delete("/api/v1/nodes/versioned", "{\"preconditions\":{\"resourceVersion\":\"1\"}}")
                        .status())
                .isEqualTo(409);
        assertThat(raw.delete(
                                "/api/v1/nodes/versioned",
                                "{\"preconditions\":{\"resourceVersion\":\"%s\"}}".formatted(version))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void repliesExpiredToAnUnknownPage() {
        assertThat(raw.get("/api/v1/nodes?limit=1&continue=unknown").status()).isEqualTo(410);
    }

    @Test
    void letsTheOldestEventsGo() throws Exception {
        var store = new ObjectStore(InstantSource.system(), 1, LabServer.HISTORY_MAX);
        for (int i = 0; i < 1002; i++) {
            var event = (ObjectNode) new ObjectMapper()
                    .readTree(
                            "{\"metadata\":{\"name\":\"e%d\"},\"involvedObject\":{\"namespace\":\"n\"}}".formatted(i));
            assertThat(store.create(ResourceType.EVENT, "n", event).status()).isEqualTo(201);
        }

        assertThat(store.list(ResourceType.EVENT, new Selector("n", "", ""), new Pages.Page(0, ""))
                        .body()
                        .path("items"))
                .hasSize(1000);
        assertThat(store.get(ResourceType.EVENT, "n", "e1").status()).isEqualTo(404);
        assertThat(store.get(ResourceType.EVENT, "n", "e2").status()).isEqualTo(200);
    }

    @Test
    void keepsNoMoreHistoryThanItWasGiven(Vertx vertx) {
        var small = new LabApi(vertx, InstantSource.system(), 2);
        var url = small.start("127.0.0.1", 0).await();
        try (var own = KubernetesConnection.open(KubernetesConfig.DEFAULTS.at(url))) {
            var raw = new RawApi(own);
            for (int i = 0; i < 4; i++) {
                raw.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"n%d\"}}".formatted(i));
            }
            var tooOld = raw.stream("/api/v1/nodes?watch=true&resourceVersion=1001");
            var recent = raw.stream("/api/v1/nodes?watch=true&resourceVersion=1002");

            await().untilAsserted(() -> {
                assertThat(String.join("", tooOld)).contains("\"code\":410").doesNotContain("ADDED");
                assertThat(String.join("", recent)).contains("n2", "n3").doesNotContain("n1");
            });
        }
    }
}
