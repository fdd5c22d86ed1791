package io.sluice.neonvm.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads pods. Unknown fields are ignored. */
public final class PodReader {
    private static final Set<String> TERMINAL = Set.of("Succeeded", "Failed");

    private PodReader() {}

    /**
     * A pod as it was read.
     *
     * @param seen the fact, at the pod's requests and without any VM
     * @param claim what the pod says about a VM in it; empty where it says nothing
     * @param complaints one sentence for each annotation that was no good
     */
    public record Reading(PodObserved seen, Optional<PodClaim> claim, List<String> complaints) {
        public Reading {
            complaints = List.copyOf(complaints);
        }

        /** A pod that says nothing about a VM. */
        static Reading plain(PodObserved seen) {
            return new Reading(seen, Optional.empty(), List.of());
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
                && KubernetesJson.metadata(pod, "labels", NeonVmKeys.POD_VM_NAME)
                        .isEmpty();
    }

    /**
     * Reads a pod that {@link #counts}. A claim whose size annotation is no good is one for its requests.
     *
     * @throws IllegalArgumentException when a field is missing or no quantity
     */
    public static Reading read(JsonNode pod) {
        var metadata = pod.path("metadata");
        var complaints = new ArrayList<String>();
        var seen = new PodObserved(
                KubernetesJson.text(metadata, "uid"),
                KubernetesJson.text(metadata, "namespace"),
                KubernetesJson.text(metadata, "name"),
                node(pod),
                "",
                KubernetesJson.version(pod),
                ContainerRequests.of(pod),
                KubernetesJson.createdAtSeconds(pod));
        return new Reading(seen, claim(pod, seen.amounts(), complaints), complaints);
    }

    private static Optional<PodClaim> claim(JsonNode pod, Resources requests, List<String> complaints) {
        var vmName = KubernetesJson.metadata(pod, "labels", NeonVmKeys.POD_VM_NAME);
        var controller = controller(pod.path("metadata").path("ownerReferences"));
        var migration = migration(controller);
        return vmName.isEmpty() && migration.isEmpty()
                ? Optional.empty()
                : Optional.of(new PodClaim(
                        vmName, controller.path("uid").asText(""), migration, usage(pod, requests, complaints)));
    }

    private static String node(JsonNode pod) {
        return pod.path("spec").path("nodeName").asText("");
    }

    /** The runner's requests do not follow the VM's size; the annotation that its controller keeps does. */
    private static Resources usage(JsonNode pod, Resources requests, List<String> complaints) {
        var usage = KubernetesJson.metadata(pod, "annotations", NeonVmKeys.POD_USAGE);
        if (!usage.isEmpty()) {
            try {
                var json = KubernetesJson.parse("the annotation", usage);
                return new Resources(KubernetesJson.milliCpu(json, "cpu"), KubernetesJson.bytes(json, "memory"));
            } catch (IllegalArgumentException noGood) {
                complaints.add(NeonVmKeys.POD_USAGE + ": " + noGood.getMessage());
            }
        }
        return requests;
    }

    private static JsonNode controller(JsonNode owners) {
        for (var owner : owners) {
            if (owner.path("controller").asBoolean()
                    && owner.path("apiVersion").asText().startsWith(NeonVmKeys.GROUP + "/")) {
                return owner;
            }
        }
        return MissingNode.getInstance();
    }

    /** The migration that controls a pod made it for its VM to move to; the pod that the VM leaves it only owns. */
    private static String migration(JsonNode controller) {
        return NeonVmKeys.MIGRATION_KIND.equals(controller.path("kind").asText())
                ? controller.path("name").asText("")
                : "";
    }
}
