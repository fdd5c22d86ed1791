package io.sluice.shell;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * An Event of Kubernetes, as it is created.
 *
 * @param name of the Event; one that exists is not created again
 * @param about the object that it is about, in whose namespace it is
 * @param reason one word
 * @param warning whether its type is Warning
 * @param message for people
 * @param component what reports it
 * @param occurrences how often it happened, and when
 */
public record KubernetesEvent(
        String name,
        About about,
        String reason,
        boolean warning,
        String message,
        String component,
        Occurrences occurrences) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** An object that Events are about. */
    public record About(String apiVersion, String kind, String namespace, String name, String uid) {
        /** A pod. */
        public static About pod(String namespace, String name, String uid) {
            return new About("v1", "Pod", namespace, name, uid);
        }
    }

    /** How often it happened. */
    public record Occurrences(long count, Instant first, Instant last) {
        /** It happened once. */
        public static Occurrences once(Instant at) {
            return new Occurrences(1, at, at);
        }
    }

    /** The object to create. */
    public String json() {
        var event = MAPPER.createObjectNode();
        event.put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata").put("name", name).put("namespace", about.namespace);
        event.putObject("involvedObject")
                .put("apiVersion", about.apiVersion)
                .put("kind", about.kind)
                .put("namespace", about.namespace)
                .put("name", about.name)
                .put("uid", about.uid);
        event.put("reason", reason)
                .put("type", warning ? "Warning" : "Normal")
                .put("message", message)
                .put("count", occurrences.count)
                .put("firstTimestamp", time(occurrences.first))
                .put("lastTimestamp", time(occurrences.last));
        event.putObject("source").put("component", component);
        event.put("reportingComponent", component).put("reportingInstance", component);
        return event.toString();
    }

    /** A time as Events have it. */
    public static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
