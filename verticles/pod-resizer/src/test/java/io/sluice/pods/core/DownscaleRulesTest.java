package io.sluice.pods.core;

import static io.sluice.pods.core.Pods.MI;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DownscaleRulesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ObjectNode POD = Pods.running("200m/100Mi", "400m/200Mi", "Burstable");
    private static final ObjectNode KILLED = killed("2026-01-01T11:30:00Z");
    private static final ObjectNode KILLED_EARLIER = killed("2026-01-01T10:59:59Z");
    private static final ObjectNode WHOLE = Pods.whole("400m/200Mi", "800m/400Mi", "100m/50Mi", "200m/100Mi");
    private static final Resources LESS_OF_WHOLE = new Resources(400, 100 * MI);
    private static final Resources LESS = new Resources(200, 50 * MI);
    private static final Resources LESS_CPU = new Resources(100, 100 * MI);

    static Stream<Arguments> requests() {
        var fresh = NOW.minusSeconds(20);
        return Stream.of(
                Arguments.of("CPU alone", POD, LESS_CPU, Optional.empty(), ""),
                Arguments.of("85 of 100 MiB", POD, LESS, use(fresh, 85), ""),
                Arguments.of("86 of 100 MiB", POD, LESS, use(fresh, 86), "exceeds"),
                Arguments.of("no sample", POD, LESS, Optional.empty(), "no sample"),
                Arguments.of("an old sample", POD, LESS, use(NOW.minusSeconds(45), 1), "no sample"),
                Arguments.of("killed half an hour ago", KILLED, LESS, use(fresh, 1), "killed for want of memory"),
                Arguments.of("killed an hour ago", KILLED_EARLIER, LESS, use(fresh, 1), ""),
                Arguments.of("a pod as a whole", WHOLE, LESS_OF_WHOLE, use(fresh, 1), ""),
                Arguments.of(
                        "any container of it killed",
                        killed(WHOLE, "containerStatuses", "2026-01-01T11:30:00Z"),
                        LESS_OF_WHOLE,
                        use(fresh, 1),
                        "killed for want of memory at 2026-01-01T11:30:00Z"),
                Arguments.of(
                        "a sidecar of it killed",
                        killed(WHOLE, "initContainerStatuses", "2026-01-01T11:30:00Z"),
                        LESS_OF_WHOLE,
                        use(fresh, 1),
                        "killed for want of memory"),
                Arguments.of(
                        "another container killed than the one that is scaled",
                        killed(POD, "containerStatuses", "2026-01-01T11:30:00Z"),
                        LESS,
                        use(fresh, 1),
                        ""),
                Arguments.of("killed, and CPU alone", KILLED, LESS_CPU, use(fresh, 1), ""));
    }

    /** {@code denial}: what its reason contains; empty if the downscale is accepted. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void weighs(String name, ObjectNode pod, Resources target, Optional<ContainerUse> use, String denial) {
        var reply = DownscaleRules.weigh(Pods.scaled(pod), target, use, NOW);
        if (denial.isEmpty()) {
            assertThat(reply).isInstanceOf(ResizeReply.Accepted.class);
        } else {
            assertThat(reply)
                    .isInstanceOfSatisfying(
                            ResizeReply.Denied.class,
                            denied -> assertThat(denied.status()).contains(denial));
        }
    }

    private static Optional<ContainerUse> use(Instant at, long mebibytes) {
        return Optional.of(new ContainerUse(at, 1, mebibytes * MI));
    }

    /** The same pod, with another container that was killed after the first one. */
    private static ObjectNode killed(ObjectNode running, String kind, String at) {
        var pod = running.deepCopy();
        var status = pod.withObject("/status").withArray(kind).addObject();
        status.put("name", "side")
                .set(
                        "lastState",
                        KILLED.at("/status/containerStatuses/0/lastState").deepCopy());
        ((ObjectNode) status.at("/lastState/terminated")).put("finishedAt", at);
        return pod;
    }

    private static ObjectNode killed(String at) {
        var pod = POD.deepCopy();
        ((ObjectNode) pod.at("/status/containerStatuses/0"))
                .putObject("lastState")
                .putObject("terminated")
                .put("reason", "OOMKilled")
                .put("finishedAt", at);
        return pod;
    }
}
