package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.worker.InstancePods;
import io.sluice.messages.worker.InstancePods.Phase;
import io.sluice.units.WorkerNames;
import java.util.ArrayList;
import java.util.List;

/** Reads pods that run instances. */
public final class InstancePodReader {
    private InstancePodReader() {}

    /** All pods of a list that name their instance. */
    public static List<InstancePods.Pod> all(JsonNode list) {
        var pods = new ArrayList<InstancePods.Pod>();
        for (var pod : list.path("items")) {
            if (isOf(pod)) {
                pods.add(read(pod));
            }
        }
        return pods;
    }

    /** Whether the pod names an instance and its generation. */
    private static boolean isOf(JsonNode pod) {
        return !annotation(pod, WorkerNames.POD_INSTANCE).isEmpty()
                && annotation(pod, WorkerNames.POD_GENERATION).matches("\\d{1,18}");
    }

    /** Whether two pods are of the same start of one instance, on the same node. */
    public static boolean isSame(JsonNode pod, JsonNode other) {
        return isOf(pod) && isOf(other) && start(pod).equals(start(other));
    }

    private static List<String> start(JsonNode pod) {
        return List.of(
                annotation(pod, WorkerNames.POD_INSTANCE),
                annotation(pod, WorkerNames.POD_GENERATION),
                pod.path("spec").path("nodeName").asText(""));
    }

    private static InstancePods.Pod read(JsonNode pod) {
        var metadata = pod.path("metadata");
        var status = pod.path("status");
        var state = status.path("containerStatuses").path(0).path("state");
        var ended = state.path("terminated");
        var reason = first(
                status.path("reason").asText(""),
                ended.path("reason").asText(""),
                state.path("waiting").path("reason").asText(""));
        return new InstancePods.Pod(
                metadata.path("name").asText(""),
                metadata.path("uid").asText(""),
                pod.path("spec").path("nodeName").asText(""),
                annotation(pod, WorkerNames.POD_INSTANCE),
                Long.parseLong(annotation(pod, WorkerNames.POD_GENERATION)),
                phase(pod),
                reason,
                ended.path("exitCode").asInt(0));
    }

    private static Phase phase(JsonNode pod) {
        return switch (pod.path("status").path("phase").asText("")) {
            case "Succeeded" -> Phase.SUCCEEDED;
            case "Failed" -> Phase.FAILED;
            case String live when pod.path("metadata").has("deletionTimestamp") -> Phase.ENDING;
            case "Running" -> Phase.RUNNING;
            default -> Phase.STARTING;
        };
    }

    private static String first(String... texts) {
        for (var text : texts) {
            if (!text.isEmpty()) {
                return text;
            }
        }
        return "";
    }

    private static String annotation(JsonNode pod, String key) {
        return pod.path("metadata").path("annotations").path(key).asText("");
    }
}
