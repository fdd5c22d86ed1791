package io.sluice.neonvm.core.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.shell.Quantities;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.Objects;

/**
 * What a runner pod needs so that its requests, in sum, are the charge on its node.
 *
 * <p>Only requests of the first container change; the other containers, the sidecars and the overhead count towards the
 * sum. A request exceeds no limit of its container, is never removed, and never changes the pod's QoS class.
 */
public sealed interface PodResize {
    /** The smallest request: none would be a pod of another QoS class. */
    Resources LEAST = new Resources(1, 1 << 20);

    /** A JSON Patch of the subresource {@code resize}. It fails if the container's resources have changed since. */
    record Patch(String operations) implements PodResize {}

    /** The requests are as they should be. */
    record Done(Progress progress) implements PodResize {
        public Done {
            Objects.requireNonNull(progress, "progress");
        }
    }

    /**
     * The pod cannot be resized, and this does not change as long as it exists.
     *
     * @param reason a part of a sentence
     */
    record Never(String reason) implements PodResize {}

    /** The pod cannot be resized now. */
    record NotYet(String reason) implements PodResize {}

    /** The pod has ended or ends. */
    record Ended() implements PodResize {}

    /** How far the node has applied the requests. */
    enum Progress {
        /** The node has accepted them, or has not started the pod. */
        ACCEPTED,
        /** The node has not replied yet. */
        APPLYING,
        /** The same, but they are less than the charge, because limits allow no more. */
        LIMITED,
        /** The node has no room for them now, and tries again. */
        DEFERRED,
        /** The node refuses them. */
        INFEASIBLE
    }

    /**
     * Reads a pod.
     *
     * @param uid of the pod that is meant
     * @param charge what it counts at on its node
     */
    static PodResize of(JsonNode pod, String uid, Resources charge) {
        if (!pod.path("metadata").path("uid").asText().equals(uid)
                || !PodReader.counts(pod)
                || pod.path("metadata").hasNonNull("deletionTimestamp")) {
            return new Ended();
        }
        if (ScaledPod.isMeant(pod)) {
            return new Never("its own driver resizes it");
        }
        if (PodReader.usage(pod, new ArrayList<>()).isEmpty()) {
            return new NotYet("without a valid annotation " + NeonVmKeys.POD_USAGE + " it counts at its requests");
        }
        var container = pod.path("spec").path("containers").path(0);
        if (!pod.path("status").path("qosClass").asText().equals("Burstable")) {
            return new Never("its QoS class is "
                    + pod.path("status").path("qosClass").asText("unknown")
                    + ", and other requests would change it");
        }
        if (pod.path("spec").path("resources").hasNonNull("requests")) {
            return new Never("it has requests of the pod as a whole");
        }
        if (container
                .path("resizePolicy")
                .valueStream()
                .anyMatch(policy -> !policy.path("restartPolicy").asText().equals("NotRequired"))) {
            return new Never("its container would be restarted by a resize");
        }
        return resize(pod, uid, charge, container.path("resources"));
    }

    private static PodResize resize(JsonNode pod, String uid, Resources charge, JsonNode resources) {
        var now = ContainerRequests.cpuAndMemory(resources.path("requests"));
        var others = ContainerRequests.besideFirst(pod);
        var wanted = charge.minus(others).max(LEAST);
        var limits =
                ContainerRequests.cpuAndMemory(resources.path("limits"), new Resources(Long.MAX_VALUE, Long.MAX_VALUE));
        var to = wanted.min(limits);
        if (to.equals(limits) && ContainerRequests.othersRequestTheirLimits(pod)) {
            // One milli-CPU less keeps the pod Burstable.
            to = new Resources(Math.max(0, to.milliCpu() - 1), to.memoryBytes());
        }
        return now.equals(to)
                ? new Done(progress(pod, to.equals(wanted) ? Progress.ACCEPTED : Progress.LIMITED))
                : new Patch(operations(uid, resources, to));
    }

    private static Progress progress(JsonNode pod, Progress otherwise) {
        var status = pod.path("status");
        for (var condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("PodResizePending")) {
                return condition.path("reason").asText().equals("Infeasible") ? Progress.INFEASIBLE : Progress.DEFERRED;
            }
        }
        var container = pod.path("spec").path("containers").path(0);
        var requests =
                ContainerRequests.cpuAndMemory(container.path("resources").path("requests"));
        boolean applying = status.path("containerStatuses")
                .valueStream()
                .filter(found -> found.path("name").equals(container.path("name")))
                .map(found -> ContainerRequests.cpuAndMemory(found.path("allocatedResources"), requests))
                .anyMatch(allocated -> !allocated.equals(requests));
        return applying ? Progress.APPLYING : otherwise;
    }

    private static String operations(String uid, JsonNode read, Resources to) {
        var path = "/spec/containers/0/resources";
        var ops = KubernetesJson.MAPPER.createArrayNode();
        ops.addObject().put("op", "test").put("path", "/metadata/uid").put("value", uid);
        ops.addObject().put("op", "test").put("path", path).set("value", read);
        var requests = KubernetesJson.MAPPER.createObjectNode();
        read.path("requests").properties().forEach(request -> requests.set(request.getKey(), request.getValue()));
        requests.put("cpu", Quantities.cpuText(to.milliCpu())).put("memory", Quantities.memoryText(to.memoryBytes()));
        ops.addObject().put("op", "add").put("path", path + "/requests").set("value", requests);
        return ops.toString();
    }
}
