package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.units.Resources;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads pods. Unknown fields are ignored. */
public final class PodReader {
    private static final Set<String> TERMINAL = Set.of("Succeeded", "Failed");

    private PodReader() {}

    /**
     * A pod as it was read.
     *
     * @param seen the fact
     * @param complaints one sentence for each annotation that was no good
     */
    public record Reading(PodSeen seen, List<String> complaints) {
        public Reading {
            complaints = List.copyOf(complaints);
        }
    }

    /** Whether the pod takes room on a node: it is bound to one and has not ended. */
    public static boolean counts(JsonNode pod) {
        return !node(pod).isEmpty()
                && !TERMINAL.contains(pod.path("status").path("phase").asText());
    }

    /**
     * Reads a pod that {@link #counts}. A runner whose size annotation is no good counts at its requests.
     *
     * @throws IllegalArgumentException when a field is missing or no quantity
     */
    public static Reading read(JsonNode pod) {
        var metadata = pod.path("metadata");
        var vmName = Json.metadata(pod, "labels", NeonVmKeys.POD_VM_NAME);
        var complaints = new ArrayList<String>();
        var seen = new PodSeen(
                Json.text(metadata, "uid"),
                Json.text(metadata, "namespace"),
                Json.text(metadata, "name"),
                node(pod),
                vmName,
                Json.version(pod),
                vmName.isEmpty() ? ContainerRequests.of(pod) : vmAmounts(pod, complaints),
                seconds(metadata.path("creationTimestamp").asText("")));
        return new Reading(seen, complaints);
    }

    private static String node(JsonNode pod) {
        return pod.path("spec").path("nodeName").asText("");
    }

    /** The runner's requests do not follow the VM's size; the annotation that its controller keeps does. */
    private static Resources vmAmounts(JsonNode pod, List<String> complaints) {
        var usage = Json.metadata(pod, "annotations", NeonVmKeys.POD_USAGE);
        if (!usage.isEmpty()) {
            try {
                var json = Json.parse("the annotation", usage);
                return new Resources(Json.milliCpu(json, "cpu"), Json.bytes(json, "memory"));
            } catch (IllegalArgumentException noGood) {
                complaints.add(NeonVmKeys.POD_USAGE + ": " + noGood.getMessage());
            }
        }
        return ContainerRequests.of(pod);
    }

    private static long seconds(String timestamp) {
        try {
            return timestamp.isEmpty() ? 0 : Instant.parse(timestamp).getEpochSecond();
        } catch (DateTimeParseException notATime) {
            throw new IllegalArgumentException("metadata.creationTimestamp is no time: " + timestamp, notATime);
        }
    }
}
