package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.neonvm.core.gpus.GpuObjects;
import io.sluice.neonvm.core.gpus.ZoneObjects;
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
     * @param observed the observation, at the pod's requests and without any VM
     * @param claim what the pod claims about a VM in it; empty if it claims nothing
     * @param complaints one sentence for each invalid annotation
     */
    public record Reading(PodObserved observed, Optional<PodClaim> claim, List<String> complaints) {
        public Reading {
            complaints = List.copyOf(complaints);
        }

        /** A pod without a claim. */
        public static Reading plain(PodObserved observed) {
            return new Reading(observed, Optional.empty(), List.of());
        }
    }

    /** Whether the pod takes room on a node: it is bound to one and has not ended. */
    public static boolean counts(JsonNode pod) {
        return !node(pod).isEmpty()
                && !TERMINAL.contains(pod.path("status").path("phase").asText());
    }

    /** Whether the pod waits for a node. */
    public static boolean isPending(JsonNode pod) {
        return node(pod).isEmpty()
                && !TERMINAL.contains(pod.path("status").path("phase").asText())
                && !pod.path("metadata").hasNonNull("deletionTimestamp");
    }

    /** Whether the pod is in one of those namespaces and runs no VM. What a VM uses always counts. */
    public static boolean isIgnored(JsonNode pod, Collection<String> ignoredNamespaces) {
        return ignoredNamespaces.contains(pod.path("metadata").path("namespace").asText())
                && KubernetesJson.metadata(pod, "labels", NeonVmKeys.POD_VM_NAME)
                        .isEmpty();
    }

    /**
     * Reads a pod that {@link #counts} or {@link #isPending}; the node of a pending one is empty. If its size
     * annotation is invalid, the claim is for the pod's requests.
     *
     * @throws IllegalArgumentException if a field is missing or not a quantity
     */
    public static Reading read(JsonNode pod) {
        return read(pod, false);
    }

    /**
     * Reads a pod.
     *
     * @param zones whether what it requests of NUMA zones is part of its amounts. No pod of a VM is aligned: its VM
     *     grows and shrinks
     */
    public static Reading read(JsonNode pod, boolean zones) {
        var metadata = pod.path("metadata");
        var complaints = new ArrayList<String>();
        var observed = new PodObserved(
                KubernetesJson.text(metadata, "uid"),
                KubernetesJson.text(metadata, "namespace"),
                KubernetesJson.text(metadata, "name"),
                node(pod),
                "",
                KubernetesJson.version(pod),
                ContainerRequests.of(pod),
                KubernetesJson.createdAtSeconds(pod),
                "",
                pod.path("spec").path("priority").asInt(),
                zones
                                && KubernetesJson.metadata(pod, "labels", NeonVmKeys.POD_VM_NAME)
                                        .isEmpty()
                        ? ContainerRequests.fixed(pod).plus(ZoneObjects.requests(pod))
                        : ContainerRequests.fixed(pod),
                GpuObjects.pod(pod, complaints));
        return new Reading(observed, claim(pod, observed.amounts(), complaints), complaints);
    }

    private static Optional<PodClaim> claim(JsonNode pod, Resources requests, List<String> complaints) {
        var vmName = KubernetesJson.metadata(pod, "labels", NeonVmKeys.POD_VM_NAME);
        var controller = controller(pod.path("metadata").path("ownerReferences"));
        var migration = migration(controller);
        return vmName.isEmpty() && migration.isEmpty()
                ? Optional.empty()
                : Optional.of(new PodClaim(
                        vmName,
                        controller.path("uid").asText(""),
                        migration,
                        usage(pod, complaints).orElse(requests)));
    }

    private static String node(JsonNode pod) {
        return pod.path("spec").path("nodeName").asText("");
    }

    /** The size that the annotation of a runner pod's controller has; its requests need not follow the VM's size. */
    static Optional<Resources> usage(JsonNode pod, List<String> complaints) {
        var usage = KubernetesJson.metadata(pod, "annotations", NeonVmKeys.POD_USAGE);
        if (!usage.isEmpty()) {
            try {
                var json = KubernetesJson.parse("the annotation", usage);
                return Optional.of(
                        new Resources(KubernetesJson.milliCpu(json, "cpu"), KubernetesJson.bytes(json, "memory")));
            } catch (IllegalArgumentException noGood) {
                complaints.add(NeonVmKeys.POD_USAGE + ": " + noGood.getMessage());
            }
        }
        return Optional.empty();
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

    /**
     * The migration that controls a pod created it as the target of its VM. The source pod is only owned by the
     * migration, not controlled.
     */
    private static String migration(JsonNode controller) {
        return NeonVmKeys.MIGRATION_KIND.equals(controller.path("kind").asText())
                ? controller.path("name").asText("")
                : "";
    }
}
