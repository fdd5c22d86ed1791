package io.sluice.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.pods.api.PodApi;
import io.sluice.pods.kubelet.NodePlaces;
import io.sluice.shell.pods.PodLimit;
import io.sluice.shell.pods.PodStart;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Goal: what is over is removed from a pod, and an API server that does not do it is not called without a pause.
 * Method: looks a second apart, at a pod that stays as it is, on the context that the replies come to.
 */
@ExtendWith(VertxExtension.class)
class PodReconcilerTest {
    private static final Instant BEGIN = Instant.parse("2026-11-27T12:00:00Z");
    private static final Resources MOST = new Resources(1_000, 1 << 30);
    private static final Optional<Resources> NO_ROOM = Optional.empty();

    private final List<CompletableFuture<JsonNode>> requests = new ArrayList<>();
    private PodReconciler reconciler;
    private PodStarts starts;
    private Context context;

    @BeforeEach
    void create(Vertx vertx) {
        context = vertx.getOrCreateContext();
        onContext(() -> createParts(vertx));
    }

    private void createParts(Vertx vertx) {
        var client = StandInApi.client(request -> {
            var answer = new CompletableFuture<JsonNode>();
            requests.add(answer);
            return answer;
        });
        var api = new PodApi(vertx, client, Duration.ofSeconds(10));
        reconciler = new PodReconciler(
                api, new NodePlaces(api, () -> BEGIN), Duration.ofMinutes(1), new Random(1), (pod, at) -> {});
        starts = new PodStarts(api, false, new Random(1));
    }

    @Test
    void aLimitThatIsOverIsRemovedByOneRequestAtATime() {
        look(reconciler::tend, limited(NO_ROOM), 0, 10);

        assertThat(requests).hasSize(1);
    }

    @Test
    void aStartThatIsOverIsRemovedByOneRequestAtATime() {
        look(starts::tend, annotated(ScaledPodKeys.START, new PodStart(MOST, BEGIN).text()), 0, 10);

        assertThat(requests).hasSize(1);
    }

    @Test
    void theWaitDoublesWhileThePodStaysAsItIs() {
        look(reconciler::tend, limited(NO_ROOM), 0, 1);
        requests.removeFirst().cancel(true);
        look(reconciler::tend, limited(NO_ROOM), 1, 2);
        assertThat(requests).as("within half of the first wait").isEmpty();

        look(reconciler::tend, limited(NO_ROOM), 5, 6);
        requests.removeFirst().cancel(true);
        look(reconciler::tend, limited(NO_ROOM), 6, 10);
        assertThat(requests).as("within half of the second wait").isEmpty();

        var free = annotated("other", "text");
        look(reconciler::tend, free, 11, 12);
        look(reconciler::tend, limited(NO_ROOM), 12, 13);
        assertThat(requests).as("another limit").hasSize(1);
    }

    @Test
    void aNodeThatCannotBeReadIsReadOnceForAllOfItsPods() {
        look(reconciler::tend, limited(Optional.of(MOST)), 0, 1);
        requests.getFirst().cancel(true);
        look(reconciler::tend, limited(Optional.of(MOST)), 1, 10);

        assertThat(requests).hasSize(1);
    }

    private void look(BiConsumer<ScaledPod, Instant> tend, ScaledPod pod, int from, int to) {
        for (int second = from; second < to; second++) {
            var now = BEGIN.plusSeconds(second);
            onContext(() -> tend.accept(pod, now));
        }
    }

    /** Steps of one context run in order, so a reply that came before is there. */
    private void onContext(Runnable step) {
        CompletableFuture.runAsync(step, next -> context.runOnContext(turn -> next.run()))
                .join();
    }

    private static ScaledPod limited(Optional<Resources> room) {
        return annotated(ScaledPodKeys.LIMIT, new PodLimit(MOST, BEGIN, room, "no room").text());
    }

    private static ScaledPod annotated(String key, String text) {
        ObjectNode pod = new ObjectMapper().createObjectNode();
        pod.putObject("metadata")
                .put("namespace", "ns")
                .put("name", "p")
                .put("uid", "u")
                .put("resourceVersion", "7")
                .putObject("annotations")
                .put(key, text);
        pod.putObject("spec")
                .put("nodeName", "n")
                .putArray("containers")
                .addObject()
                .put("name", "main");
        return ScaledPod.of(pod);
    }
}
