package io.sluice.pods.core;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.shell.pods.ScaledPod;

/** Pods as an API server returns them, for tests. */
final class Pods {
    static final long MI = 1 << 20;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Pods() {}

    /** A pod that runs with these requests and limits, all of it allocated and applied. */
    static ObjectNode running(String requests, String limits, String qos) {
        var resources = "{\"requests\":" + quantities(requests) + ",\"limits\":" + quantities(limits) + "}";
        return json("""
            {"metadata":{"namespace":"ns","name":"p","uid":"u","resourceVersion":"7","generation":3,
               "labels":{"autoscaling.sluice.io/enabled":"true"},
               "annotations":{"internal.autoscaling.sluice.io/fence":"r+1/0"}},
             "spec":{"nodeName":"n","containers":[{"name":"main","resources":%1$s}]},
             "status":{"phase":"Running","qosClass":"%2$s","observedGeneration":3,
               "containerStatuses":[{"name":"main","allocatedResources":%3$s,"resources":%1$s}]}}\
            """.formatted(resources, qos, quantities(requests)));
    }

    /** A pod of two equal containers, with requests and limits as a whole. */
    static ObjectNode whole(String requests, String limits, String eachRequests, String eachLimits) {
        var pod = running(eachRequests, eachLimits, "Burstable");
        var containers = pod.withObject("/spec").withArray("containers");
        containers.add(((ObjectNode) containers.get(0).deepCopy()).put("name", "side"));
        var resources = "{\"requests\":" + quantities(requests) + ",\"limits\":" + quantities(limits) + "}";
        pod.withObject("/spec").set("resources", json(resources));
        pod.withObject("/status").set("resources", json(resources));
        pod.withObject("/status").set("allocatedResources", json(quantities(requests)));
        return pod;
    }

    static ScaledPod scaled(ObjectNode pod) {
        return ScaledPod.of(pod);
    }

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) MAPPER.readTree(text);
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(noJson);
        }
    }

    /** {@code 500m/1Gi} as a list; empty for none. */
    static String quantities(String text) {
        var parts = text.split("/");
        return text.isEmpty() ? "{}" : "{\"cpu\":\"%s\",\"memory\":\"%s\"}".formatted(parts[0], parts[1]);
    }

    /** The same pod with another spec, which the kubelet has not seen. */
    static ObjectNode resized(ObjectNode pod, String requests) {
        var next = pod.deepCopy();
        next.withObject("/metadata").put("generation", 4).put("resourceVersion", "9");
        next.withObject("/metadata/annotations").put("internal.autoscaling.sluice.io/fence", "r+1/1");
        ((ObjectNode) next.at("/spec/containers/0/resources")).set("requests", json(quantities(requests)));
        return next;
    }

    /** The same pod, with what the kubelet has decided about its spec. */
    static ObjectNode pending(ObjectNode pod, String reason) {
        return pending(pod, reason, "no CPU");
    }

    static ObjectNode pending(ObjectNode pod, String reason, String message) {
        var next = pod.deepCopy();
        ((ObjectNode) next.at("/status")).put("observedGeneration", 4);
        ((ObjectNode) next.at("/status"))
                .putArray("conditions")
                .addObject()
                .put("type", "PodResizePending")
                .put("reason", reason)
                .put("message", message);
        return next;
    }

    static ObjectNode accepted(ObjectNode pod) {
        var next = pod.deepCopy();
        ((ObjectNode) next.at("/status")).put("observedGeneration", 4);
        ((ObjectNode) next.at("/status/containerStatuses/0"))
                .set("allocatedResources", next.at("/spec/containers/0/resources/requests"));
        return next;
    }
}
