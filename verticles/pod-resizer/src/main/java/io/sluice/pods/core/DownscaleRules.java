package io.sluice.pods.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.shell.Quantities;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a pod may get a smaller size. CPU may always be taken. Memory may be taken only while the working set stays
 * below the new limit by the pod's headroom, and not within an hour after the container was killed for want of memory.
 */
public final class DownscaleRules {
    /** How long a container that was killed for want of memory keeps what it has. */
    public static final Duration KEPT_AFTER_OOM = Duration.ofHours(1);

    /** A sample that is older than this does not show what the container needs. */
    public static final Duration SAMPLE_AGE_MAX = Duration.ofSeconds(45);

    private DownscaleRules() {}

    /**
     * Decides.
     *
     * @param pod as it was read
     * @param target the smaller size of the pod
     * @param use the last sample of its container; empty if there is none
     */
    public static ResizeReply weigh(ScaledPod pod, Resources target, Optional<ContainerUse> use, Instant now) {
        if (target.memoryBytes() >= pod.spec().memoryBytes()) {
            return new ResizeReply.Accepted("memory is not lowered");
        }
        var killed = killedAt(pod).filter(at -> now.isBefore(at.plus(KEPT_AFTER_OOM)));
        if (killed.isPresent()) {
            return denied("a container of it was killed for want of memory at " + killed.get()
                    + "; it keeps its memory for " + KEPT_AFTER_OOM.toMinutes() + " minutes");
        }
        var fresh = use.filter(sample -> now.isBefore(sample.at().plus(SAMPLE_AGE_MAX)));
        if (fresh.isEmpty()) {
            return denied("there is no sample of its working set of the last " + SAMPLE_AGE_MAX.toSeconds() + " s");
        }
        var resources = ResizePlan.resources(pod, target);
        long limit = memory(resources.path("limits").path("memory").asText(""))
                .orElseGet(
                        () -> memory(resources.path("requests").path("memory").asText(""))
                                .orElse(0L));
        long most = (long) (limit * (1 - pod.options().memoryHeadroom()));
        long workingSet = fresh.get().workingSetBytes();
        return workingSet <= most
                ? new ResizeReply.Accepted("its working set is " + Quantities.memoryText(workingSet))
                : denied("its working set of " + Quantities.memoryText(workingSet) + " exceeds "
                        + Quantities.memoryText(most) + ", which is the new limit less "
                        + Math.round(pod.options().memoryHeadroom() * 100) + " %");
    }

    /**
     * When what is scaled was last killed for want of memory: the container, or any of a pod that is scaled as a whole.
     */
    public static Optional<Instant> killedAt(ScaledPod pod) {
        var statuses = pod.isWhole() ? statuses(pod) : pod.containerStatus().stream();
        return statuses.map(found -> found.path("lastState").path("terminated"))
                .filter(ended -> ended.path("reason").asText().equals("OOMKilled"))
                .flatMap(ended -> instant(ended.path("finishedAt").asText()).stream())
                .max(Comparator.naturalOrder());
    }

    /** Init containers too, as those that are restarted run beside the others. */
    private static Stream<JsonNode> statuses(ScaledPod pod) {
        return Stream.of("containerStatuses", "initContainerStatuses")
                .flatMap(kind -> pod.json().path("status").path(kind).valueStream());
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }

    private static Optional<Long> memory(String quantity) {
        return quantity.isEmpty() ? Optional.empty() : Optional.of(Quantities.bytes(quantity));
    }

    private static ResizeReply denied(String reason) {
        return new ResizeReply.Denied(reason);
    }
}
