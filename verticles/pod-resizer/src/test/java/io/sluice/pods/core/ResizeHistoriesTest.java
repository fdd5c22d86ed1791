package io.sluice.pods.core;

import static io.sluice.pods.core.Pods.MI;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.pods.core.ResizeAttempt.Step;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: what a runner was told is refused never takes effect, and what an earlier runner sent never does. Method:
 * seeded histories of one pod: runners that replace each other, requests that arrive late or lose their answers, and a
 * kubelet that lags behind the API server and has more and less room. Each planted defect must be found.
 */
class ResizeHistoriesTest {
    private static final int EVENTS = 2_500;

    private enum Defect {
        NONE,
        /** A withdrawal counts as done when the API server has accepted it. */
        WITHDRAWAL_NOT_AWAITED,
        /** A resize tests neither fence nor version. */
        RESIZE_NOT_FENCED,
        /** A resize that the kubelet has not seen when its permit lapses counts as refused. */
        UNSEEN_NOT_WITHDRAWN
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 20261126})
    void noHistoryBreaksAPromise(long seed) {
        var history = new History(seed, Defect.NONE);
        assertThat(history.broken()).as("seed %d", seed).isEmpty();
        assertThat(history.replies).as("what the history played").contains("Patched", "Refused", "InDoubt");
    }

    @ParameterizedTest
    @EnumSource(value = Defect.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void eachPlantedDefectIsFound(Defect defect) {
        var found = new HashSet<String>();
        for (long seed = 1; seed <= 8; seed++) {
            new History(seed, defect).broken().ifPresent(found::add);
        }
        assertThat(found).isNotEmpty();
    }

    /** A request on its way to the API server; {@code from} awaits its answer, unless that was given up. */
    private record Sent(Runner from, long attempt, String operations, boolean resize) {}

    private static final class Runner {
        final int number;
        final String fence;
        long drawn;
        long attempts;
        Optional<ResizeAttempt> attempt = Optional.empty();
        boolean withdrawing;
        String why = "";
        Instant waitsUntil = Instant.MIN;
        ScaledPod read;

        Runner(int number, ScaledPod claimed) {
            this.number = number;
            this.fence = claimed.fence().substring(0, claimed.fence().lastIndexOf('/') + 1);
            this.read = claimed;
        }
    }

    private static final class History {
        final Random random;
        final Defect defect;
        final Set<String> replies = new HashSet<>();
        final List<Sent> onTheWay = new ArrayList<>();
        final Set<Long> refused = new HashSet<>();
        ObjectNode stored = Pods.running("200m/128Mi", "", "Burstable");
        ObjectNode ofKubelet = stored;
        Instant now = Instant.EPOCH;
        long version = 7;
        long target = 300;
        long room = 1_000;
        int runners;
        Runner current;
        Optional<String> broken = Optional.empty();

        History(long seed, Defect defect) {
            this.random = new Random(seed);
            this.defect = defect;
        }

        Optional<String> broken() {
            claim();
            for (int event = 0; event < EVENTS && broken.isEmpty(); event++) {
                now = now.plusMillis(random.nextInt(400));
                switch (random.nextInt(12)) {
                    case 0 -> room = 200 + random.nextInt(60_000);
                    case 1, 2 -> ofKubelet = stored;
                    case 3, 4, 5 -> kubeletWorks();
                    case 6, 7, 8 -> deliver();
                    case 9 -> replaceRunner();
                    default -> runnerWorks();
                }
            }
            return broken;
        }

        private void replaceRunner() {
            if (random.nextInt(20) == 0) {
                claim();
            }
        }

        private void claim() {
            var pod = ScaledPod.of(stored);
            apply(ResizePlan.claim(pod, "r" + ++runners + "+" + pod.version() + "/0"));
            current = new Runner(runners, ScaledPod.of(stored));
        }

        private void runnerWorks() {
            if (onTheWay.stream().anyMatch(this::isAwaited)) {
                giveUpAnAnswer();
                return;
            }
            if (current.attempt.isEmpty()) {
                begin();
            }
            var attempt = current.attempt.get();
            if (now.isBefore(current.waitsUntil) && random.nextInt(3) > 0) {
                return;
            }
            current.read = ScaledPod.of(stored);
            if (current.withdrawing) {
                perform(attempt.withdrawn(current.read, current.why, now));
            } else {
                boolean sent = current.read.fence().equals(attempt.request().nextFence())
                        && current.read.spec().equals(attempt.request().target());
                perform(sent ? attempt.awaited(current.read, now) : attempt.begin(current.read, now));
            }
        }

        /** An answer that does not come: the attempt ends in doubt, and the request may still arrive. */
        private void giveUpAnAnswer() {
            if (random.nextInt(10) == 0) {
                end(new PatchReply.InDoubt("no answer"));
            }
        }

        private boolean isAwaited(Sent sent) {
            return sent.from() == current && sent.attempt() == current.attempts && current.attempt.isPresent();
        }

        private void begin() {
            long from = Long.parseLong(ScaledPod.of(stored).fence().replaceAll(".*/", ""));
            long next = ++current.drawn;
            target++;
            current.attempts++;
            current.withdrawing = false;
            var request = new PatchVm(
                    ScaledPod.of(stored).id(),
                    "",
                    new Resources(target, 128 * MI),
                    new Revision(1, 1),
                    current.fence + from,
                    current.fence + (1_000 + next),
                    Duration.ofSeconds(2));
            current.attempt = Optional.of(new ResizeAttempt(request, now.plusSeconds(2)));
        }

        private void perform(Step step) {
            var request = current.attempt.orElseThrow().request();
            switch (step) {
                case Step.Advance() -> send(ResizePlan.advance(current.read, request), false);
                case Step.Resize() -> send(resize(ResizePlan.resources(current.read, request.target())), true);
                case Step.Await(var until) -> current.waitsUntil = until;
                case Step.Withdraw(var limit, var reason) -> withdraw(reason);
                case Step.Reply(var reply) -> end(reply);
            }
        }

        private void withdraw(String reason) {
            current.why = reason;
            boolean unseen = KubeletDecision.of(current.read) instanceof KubeletDecision.Unseen;
            if (defect == Defect.UNSEEN_NOT_WITHDRAWN && unseen) {
                end(new PatchReply.Refused(0, reason));
                return;
            }
            // As the shell does: only an accepted withdrawal is followed up, at once.
            if (apply(ResizePlan.resize(current.read, ResizePlan.accepted(current.read)))) {
                current.withdrawing = true;
                if (defect == Defect.WITHDRAWAL_NOT_AWAITED) {
                    end(new PatchReply.Refused(0, reason));
                }
            }
        }

        private String resize(JsonNode resources) {
            var operations = ResizePlan.resize(current.read, resources);
            return defect == Defect.RESIZE_NOT_FENCED
                    ? operations.replaceAll("\\{\"op\":\"test\",\"path\":\"/metadata/[ra][^}]*},", "")
                    : operations;
        }

        private void send(String operations, boolean resize) {
            onTheWay.add(new Sent(current, current.attempts, operations, resize));
        }

        private void deliver() {
            if (onTheWay.isEmpty()) {
                return;
            }
            var sent = onTheWay.remove(random.nextInt(onTheWay.size()));
            boolean applied = apply(sent.operations());
            if (applied && sent.resize() && sent.from() != current) {
                broken = Optional.of("a resize of runner " + sent.from().number + " was applied under " + runners);
            }
        }

        private void end(PatchReply reply) {
            replies.add(reply.getClass().getSimpleName());
            if (reply instanceof PatchReply.Refused) {
                refused.add(current.attempt.orElseThrow().request().target().milliCpu());
            }
            current.attempt = Optional.empty();
            current.withdrawing = false;
            current.waitsUntil = Instant.MIN;
        }

        /** By what it last saw, which may be older than what is stored. */
        private void kubeletWorks() {
            var observed = ScaledPod.of(ofKubelet);
            long wanted = observed.requests().milliCpu();
            var status = (ObjectNode) stored.at("/status");
            long allocated =
                    ScaledPod.of(stored).status().map(Resources::milliCpu).orElse(0L);
            boolean fits = wanted <= Math.max(room, allocated);
            status.put(
                    "observedGeneration", ofKubelet.at("/metadata/generation").asLong());
            var conditions = status.putArray("conditions");
            if (fits) {
                var container = (ObjectNode) status.at("/containerStatuses/0");
                var requests = observed.container().at("/resources/requests");
                container.set("allocatedResources", requests.deepCopy());
                ((ObjectNode) container.path("resources")).set("requests", requests.deepCopy());
                if (refused.contains(wanted) && wanted != allocated) {
                    broken = Optional.of(wanted + "m was refused, and took effect");
                }
            } else {
                conditions
                        .addObject()
                        .put("type", "PodResizePending")
                        .put("reason", "Deferred")
                        .put("message", "no room");
            }
            stored.withObject("/metadata").put("resourceVersion", Long.toString(++version));
        }

        /** A JSON Patch, as an API server applies it: all of it, or nothing. */
        private boolean apply(String operations) {
            var next = stored.deepCopy();
            for (var operation :
                    (ArrayNode) Pods.json("{\"ops\":" + operations + "}").path("ops")) {
                var path = operation.path("path").asText();
                int slash = path.lastIndexOf('/');
                var key = path.substring(slash + 1).replace("~1", "/");
                var holder = next.at(path.substring(0, slash));
                if (operation.path("op").asText().equals("test")) {
                    if (!holder.path(key)
                            .asText()
                            .equals(operation.path("value").asText())) {
                        return false;
                    }
                } else {
                    ((ObjectNode) holder).set(key, operation.path("value"));
                }
            }
            boolean respecified = !next.path("spec").equals(stored.path("spec"));
            next.withObject("/metadata").put("resourceVersion", Long.toString(++version));
            if (respecified) {
                next.withObject("/metadata")
                        .put("generation", stored.at("/metadata/generation").asLong() + 1);
            }
            stored = next;
            return true;
        }
    }
}
