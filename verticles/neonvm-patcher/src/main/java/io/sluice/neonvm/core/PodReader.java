package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Collection;
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

    /** Whether the pod is in one of those namespaces, and runs no VM: what a VM uses is always counted. */
    public static boolean isIgnored(JsonNode pod, Collection<String> ignoredNamespaces) {
        return ignoredNamespaces.contains(pod.path("metadata").path("namespace").asText())
                && Json.metadata(pod, "labels", NeonVmKeys.POD_VM_NAME).isEmpty();
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
                Json.createdAtSeconds(pod),
                migration(metadata.path("ownerReferences")));
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

    /** The migration that controls a pod made it for its VM to move to; the pod that the VM leaves it only owns. */
    private static String migration(JsonNode owners) {
        for (var owner : owners) {
            if (NeonVmKeys.MIGRATION_KIND.equals(owner.path("kind").asText())
                    && owner.path("apiVersion").asText().startsWith(NeonVmKeys.GROUP + "/")
                    && owner.path("controller").asBoolean()) {
                return owner.path("name").asText("");
            }
        }
        return "";
    }
}
