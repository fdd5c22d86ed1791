package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.shell.KubernetesEvent;
import java.time.Instant;

/** The condition and the Event of a pod that no node can take. Node autoscalers and people read them. */
public final class UnschedulableObjects {
    private static final String CONDITION = "PodScheduled";
    private static final String FALSE = "False";
    private static final String REASON = "Unschedulable";
    private static final String TRANSITION = "lastTransitionTime";

    private UnschedulableObjects() {}

    /** Whether the pod has that reason already. */
    public static boolean isReported(UnschedulablePod report, JsonNode pod) {
        var condition = condition(pod);
        return condition.path("status").asText().equals(FALSE)
                && condition.path("message").asText().equals(report.reason());
    }

    private static JsonNode condition(JsonNode pod) {
        for (var condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(CONDITION)) {
                return condition;
            }
        }
        return MissingNode.getInstance();
    }

    /**
     * The change of the pod's status, in which conditions are merged by type. The API server refuses it for a pod with
     * another uid.
     *
     * @param pod as read before
     */
    public static String status(UnschedulablePod report, JsonNode pod, Instant now) {
        var before = condition(pod);
        var since = before.path("status").asText().equals(FALSE)
                ? before.path(TRANSITION).asText(KubernetesEvent.time(now))
                : KubernetesEvent.time(now);
        var object = KubernetesJson.MAPPER.createObjectNode();
        object.putObject("metadata").put("uid", report.uid());
        object.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", CONDITION)
                .put("status", FALSE)
                .put("reason", REASON)
                .put("message", report.reason())
                .put(TRANSITION, since);
        return object.toString();
    }

    /** The Event; one reason of a pod has one name, so that a repeat makes no second one. */
    public static String event(UnschedulablePod report, Instant now) {
        return new KubernetesEvent(
                        report.name() + "." + Integer.toHexString((report.uid() + report.reason()).hashCode()),
                        KubernetesEvent.About.pod(report.namespace(), report.name(), report.uid()),
                        "FailedScheduling",
                        true,
                        report.reason(),
                        report.scheduler(),
                        KubernetesEvent.Occurrences.once(now))
                .json();
    }
}
