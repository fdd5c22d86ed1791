package io.sluice.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.pods.api.PodApi;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Goal: a resize that was sent is refused only if it certainly has no effect. Method: an API server that gives each
 * request the next of these answers, and is then away.
 */
@ExtendWith(VertxExtension.class)
class PodResizerTest {
    private static final VmId POD = new VmId("pod", "ns", "p", "u");
    private static final long MI = 1 << 20;
    private static final PatchVm REQUEST = new PatchVm(
            POD, "p", new Resources(400, 128 * MI), new Revision(2, 1), "r+1/0", "r+1/1", Duration.ofSeconds(10));

    private final Deque<Optional<ObjectNode>> answers = new ArrayDeque<>();
    private Optional<ScaledPod> watched = Optional.empty();
    private volatile Instant now = Instant.parse("2026-11-27T12:00:00Z");

    @Test
    void aLostAnswerIsInDoubtIfThePodCannotBeReadEither(Vertx vertx) {
        answers.add(Optional.of(pod("r+1/0", 1, "200m")));
        answers.add(Optional.of(pod("r+1/1", 1, "200m")));
        answers.add(Optional.empty());

        assertThat(resized(vertx)).isInstanceOf(PatchReply.InDoubt.class);
        assertThat(answers).isEmpty();
    }

    @Test
    void aDeferredResizeThatCannotBeWithdrawnIsInDoubt(Vertx vertx) {
        answers.add(Optional.of(pod("r+1/0", 1, "200m")));
        answers.add(Optional.of(pod("r+1/1", 1, "200m")));
        answers.add(Optional.of(deferred()));

        assertThat(resized(vertx)).isInstanceOf(PatchReply.InDoubt.class);
        assertThat(answers).isEmpty();
    }

    @Test
    void aResizeOfWhichAnEarlierCopyArrivedIsInDoubt(Vertx vertx) {
        answers.add(Optional.of(pod("r+1/0", 1, "200m")));
        answers.add(Optional.of(pod("r+1/1", 1, "200m")));
        answers.add(Optional.of(status(409)));
        answers.add(Optional.of(deferred()));
        answers.add(Optional.of(deferred()));

        assertThat(resized(vertx)).isInstanceOf(PatchReply.InDoubt.class);
        assertThat(answers).isEmpty();
    }

    @Test
    void aPodThatIsNoLongerAsObservedIsRead(Vertx vertx) {
        watched = Optional.of(ScaledPod.of(pod("r+1/0", 1, "200m")));
        answers.add(Optional.of(status(422)));
        answers.add(Optional.of(pod("r+1/0", 2, "200m")));
        answers.add(Optional.of(pod("r+1/1", 2, "200m")));

        assertThat(resized(vertx)).isInstanceOf(PatchReply.Refused.class);
        assertThat(answers).isEmpty();
    }

    @Test
    void whatWasNotSentIsRefused(Vertx vertx) {
        assertThat(resized(vertx)).isInstanceOf(PatchReply.Refused.class);
        answers.add(Optional.of(pod("r+1/0", 1, "200m")));
        answers.add(Optional.of(pod("r+1/1", 1, "200m")));
        assertThat(resized(vertx)).isInstanceOf(PatchReply.Refused.class);
    }

    private PatchReply resized(Vertx vertx) {
        var api = new PodApi(vertx, StandInApi.client(request -> next()), Duration.ofSeconds(10));
        return new PodResizer(vertx, api, () -> now, uid -> watched, (refusal, pod) -> {})
                .resize(REQUEST)
                .await();
    }

    private CompletableFuture<JsonNode> next() {
        var next = answers.poll();
        if (next == null) {
            return CompletableFuture.failedFuture(new ConnectException("refused"));
        }
        if (next.filter(pod -> pod.path("status").has("conditions")).isPresent()) {
            // The kubelet has deferred it until its permit lapses.
            now = now.plus(REQUEST.sendWithin());
        }
        return next.map(pod -> CompletableFuture.<JsonNode>completedFuture(pod))
                .orElseGet(() -> CompletableFuture.failedFuture(new IOException("reset")));
    }

    private static ObjectNode status(int code) {
        return new ObjectMapper().createObjectNode().put("kind", "Status").put("code", code);
    }

    private static ObjectNode pod(String fence, long generation, String cpu) {
        try {
            return (ObjectNode)
                    new ObjectMapper().readTree("""
                        {"metadata":{"namespace":"ns","name":"p","uid":"u","resourceVersion":"%d","generation":%d,
                           "annotations":{"internal.autoscaling.sluice.io/fence":"%s"}},
                         "spec":{"nodeName":"n","containers":[
                           {"name":"main","resources":{"requests":{"cpu":"%s","memory":"128Mi"}}}]},
                         "status":{"phase":"Running","qosClass":"Burstable","observedGeneration":%d,
                           "containerStatuses":[{"name":"main","allocatedResources":{"cpu":"200m","memory":"128Mi"},
                             "resources":{"requests":{"cpu":"200m","memory":"128Mi"}}}]}}\
                        """.formatted(generation, generation, fence, cpu, generation));
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(noJson);
        }
    }

    private static ObjectNode deferred() {
        var pod = pod("r+1/1", 2, "400m");
        pod.withObject("/status")
                .putArray("conditions")
                .addObject()
                .put("type", "PodResizePending")
                .put("reason", "Deferred");
        return pod;
    }
}
