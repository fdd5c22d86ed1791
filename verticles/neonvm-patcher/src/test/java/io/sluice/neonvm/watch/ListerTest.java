package io.sluice.neonvm.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.neonvm.api.ObjectReader;
import io.sluice.neonvm.api.RefusedException;
import io.sluice.neonvm.api.ScriptedApi;
import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.core.observed.ClusterModel;
import io.sluice.neonvm.core.observed.FullList;
import io.sluice.neonvm.core.observed.PodClaims;
import io.sluice.neonvm.core.observed.ScaledPods;
import io.sluice.neonvm.core.observed.WatchScope;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Full lists of an API server that has nodes in pages and nothing else. */
@ExtendWith(VertxExtension.class)
class ListerTest {
    private final List<String> requested = new CopyOnWriteArrayList<>();
    private final ClusterModel model = new ClusterModel();
    private ScriptedApi api;
    private Future<Void> foundAll = Future.succeededFuture();
    private int forgets;
    private boolean zones;
    private String without = "";
    private String busy = "";

    @BeforeEach
    void open(Vertx vertx) {
        api = new ScriptedApi(vertx, Duration.ofMinutes(1), this::answer);
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void readsAllPagesAsOfTheFirst() {
        var nodes = list(WatchScope.CLUSTER).await().nodes();

        assertThat(nodes.version()).isEqualTo(10);
        assertThat(nodes.items()).extracting(NodeObserved::node).containsExactly("n1", "n2", "n3");
        assertThat(requested)
                .startsWith(
                        "/api/v1/nodes?limit=500",
                        "/api/v1/nodes?limit=500&continue=%2F1",
                        "/api/v1/nodes?limit=500&continue=%2F2",
                        "nodes: [n1, n2, n3]",
                        "/api/v1/pods?limit=500");
    }

    @Test
    void requestsWhatRunsOnTheNodesOnceThatIsWanted() {
        foundAll = Future.failedFuture("not yet");

        assertThat(failure(list(WatchScope.CLUSTER))).hasMessage("not yet");
        assertThat(requested).last().isEqualTo("nodes: [n1, n2, n3]");
    }

    @Test
    void keepsOneObservationOfWhatHasNotChanged() {
        var before = list(WatchScope.CLUSTER).await();
        model.listed(before);

        var after = list(WatchScope.CLUSTER).await();
        assertThat(after.nodes().items().getFirst())
                .isSameAs(before.nodes().items().getFirst());
    }

    @Test
    @DisplayName("F12: a list whose page expired begins anew, a bounded number of times")
    void beginsAnewWhereAPageIsForgottenButNotForEver() {
        forgets = 2;
        assertThat(list(WatchScope.CLUSTER).await().nodes().items()).hasSize(3);

        forgets = 3;
        assertThat(failure(list(WatchScope.CLUSTER))).hasMessageContaining("410");
    }

    @Test
    @DisplayName("F12: a list waits as long as a 429 says")
    void reportsHowLongTheServerIsToBeLeftAlone() {
        busy = "17";
        assertThat(RefusedException.retryAfter(failure(list(WatchScope.CLUSTER))))
                .isEqualTo(Duration.ofSeconds(17));
        busy = "never";
        assertThat(RefusedException.retryAfter(failure(list(WatchScope.CLUSTER))))
                .isEqualTo(Duration.ZERO);
        busy = "999999";
        assertThat(RefusedException.retryAfter(failure(list(WatchScope.CLUSTER))))
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void picksANodeAndItsPodsByField() {
        list(WatchScope.ofNode("n&1")).await();

        assertThat(requested)
                .contains(
                        "/api/v1/nodes?limit=500&fieldSelector=metadata.name%3Dn%261",
                        "/api/v1/pods?limit=500&fieldSelector=spec.nodeName%3Dn%261",
                        "/apis/vm.neon.tech/v1/virtualmachines?limit=500");
    }

    @Test
    void nodesHaveTheZonesThatAreListedBeforeThem() {
        zones = true;
        var nodes = list(WatchScope.CLUSTER).await().nodes().items();

        assertThat(requested)
                .startsWith(
                        "/apis/topology.node.k8s.io/v1alpha2/noderesourcetopologies?limit=500",
                        "/api/v1/nodes?limit=500");
        assertThat(nodes.get(0).devices().zones().zones()).isEmpty();
        assertThat(nodes.get(1).devices().zones().zones()).hasSize(1);
        assertThat(nodes.get(1).version()).as("its own").isEqualTo(3);
        assertThat(nodes.get(1).devices().zones().version()).isEqualTo(9);
    }

    @Test
    void nodesHaveNoZonesWhereThereIsNoSuchKind() {
        zones = true;
        without = "/noderesourcetopologies";

        assertThat(list(WatchScope.CLUSTER).await().nodes().items())
                .hasSize(3)
                .allMatch(node -> node.devices().zones().zones().isEmpty());
    }

    private Future<FullList> list(WatchScope scope) {
        return api.onContext(client -> new Lister(
                        client,
                        new ObjectReader(ClusterConfig.DEFAULTS, api.meters),
                        model,
                        new PodClaims(model),
                        new ScaledPods(false),
                        scope,
                        zones)
                .list(this::found, () -> {}));
    }

    private Future<Void> found(List<NodeObserved> nodes) {
        requested.add("nodes: " + nodes.stream().map(NodeObserved::node).toList());
        return foundAll;
    }

    private static Throwable failure(Future<FullList> fullList) {
        return catchThrowable(() -> fullList.await());
    }

    private void answer(HttpServerRequest request) {
        requested.add(request.uri());
        var next = request.getParam("continue", "");
        if (!busy.isEmpty()) {
            request.response().putHeader("Retry-After", busy).setStatusCode(429).end();
        } else if (next.equals("/2") && forgets-- > 0) {
            request.response().setStatusCode(410).end("{}");
        } else if (!without.isEmpty() && request.path().endsWith(without)) {
            request.response().setStatusCode(404).end("{}");
        } else if (request.path().endsWith("/noderesourcetopologies")) {
            request.response()
                    .end("{\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[{\"metadata\":{\"name\":\"n2\","
                            + "\"resourceVersion\":\"9\"},\"zones\":[{\"name\":\"node-0\",\"type\":\"Node\"}]}]}");
        } else if (!request.path().endsWith("/nodes")) {
            request.response().end("{\"metadata\":{\"resourceVersion\":\"20\"},\"items\":[]}");
        } else {
            int page = next.isEmpty() ? 0 : Integer.parseInt(next.substring(1));
            var more = page < 2 ? ",\"continue\":\"/%d\"".formatted(page + 1) : "";
            request.response().end("""
                {"metadata":{"resourceVersion":"%d"%s},"items":[{"metadata":{"name":"n%d","resourceVersion":"3"}}]}\
                """.formatted(10 + page, more, page + 1));
        }
    }
}
