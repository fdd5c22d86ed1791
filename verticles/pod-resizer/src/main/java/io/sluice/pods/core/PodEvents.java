package io.sluice.pods.core;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.shell.BoundedMap;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/** The Events of pods: a reason and its words again only after a while. */
public final class PodEvents {
    /** Why a pod does not have the size that it should have. */
    public enum Reason {
        /** The kubelet had no room while the permit was valid. */
        DEFERRED("ResizeDeferred"),
        /** The kubelet refuses the size. */
        INFEASIBLE("ResizeInfeasible"),
        /** The API server refuses the size, as a quota does. */
        REFUSED("ResizeRefused"),
        /** The container was killed for want of memory. */
        KILLED("MemoryKept");

        private final String word;

        Reason(String word) {
            this.word = word;
        }
    }

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final int KEPT_MAX = 10_000;
    private static final int WORDS_MAX = 900;
    private static final String COMPONENT = "sluice";

    private final Map<String, Instant> written = BoundedMap.ofLastUsed(KEPT_MAX);
    private long number;

    /** The Event to create; empty if one like it was written a short time ago. */
    public Optional<String> event(VmId pod, Reason reason, String words, Instant now) {
        var key = pod.uid() + reason;
        var before = written.get(key);
        if (before != null && now.isBefore(before.plus(AGAIN))) {
            return Optional.empty();
        }
        written.put(key, now);
        number++;
        var event = MAPPER.createObjectNode().put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata")
                .put("name", pod.name() + "." + Long.toHexString(now.toEpochMilli()) + Long.toHexString(number))
                .put("namespace", pod.namespace());
        event.putObject("involvedObject")
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("namespace", pod.namespace())
                .put("name", pod.name())
                .put("uid", pod.uid());
        var at = now.truncatedTo(ChronoUnit.SECONDS).toString();
        event.put("reason", reason.word)
                .put("type", "Warning")
                .put("message", words.substring(0, Math.min(words.length(), WORDS_MAX)))
                .put("count", 1)
                .put("firstTimestamp", at)
                .put("lastTimestamp", at);
        event.putObject("source").put("component", COMPONENT);
        event.put("reportingComponent", COMPONENT).put("reportingInstance", COMPONENT);
        return Optional.of(event.toString());
    }
}
