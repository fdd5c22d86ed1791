package io.sluice.pods.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.vm.PatchVm;
import io.sluice.shell.Quantities;
import io.sluice.shell.pods.PodOptions;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import io.sluice.units.ScaledPodKeys;

/** Writes the JSON Patches of pods: fences by an ordinary patch, sizes by the subresource {@code resize}. */
public final class ResizePlan {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String CPU = "cpu";
    private static final String MEMORY = "memory";

    private ResizePlan() {}

    /** A patch that writes a runner's fence over the present one, if the pod is as it was read. */
    public static String claim(ScaledPod pod, String fence) {
        var ops = MAPPER.createArrayNode();
        test(ops, "/metadata/uid", pod.id().uid());
        test(ops, "/metadata/resourceVersion", pod.version());
        annotate(ops, pod, ScaledPodKeys.FENCE, fence);
        return ops.toString();
    }

    /**
     * A patch that writes the next fence over the tested one, and the goal that the resize after it serves. The pod is
     * at its former size until then, so the goal counts from the generation on that the resize makes.
     */
    public static String advance(ScaledPod pod, PatchVm request) {
        var ops = MAPPER.createArrayNode();
        test(ops, "/metadata/uid", pod.id().uid());
        ops.addObject().put("op", "test").put("path", "/metadata/generation").put("value", pod.generation());
        test(ops, path(ScaledPodKeys.FENCE), request.fence());
        annotate(ops, pod, ScaledPodKeys.FENCE, request.nextFence());
        boolean same = resources(pod, request.target()).equals(pod.resources());
        var goal = request.revision();
        annotate(
                ops,
                pod,
                ScaledPodKeys.REVISION,
                goal.value() + "/" + goal.flags() + "/" + (same ? pod.generation() : pod.generation() + 1));
        return ops.toString();
    }

    /** A patch of an annotation, such as the most that the pod is given for now; an empty text removes it. */
    public static String annotation(ScaledPod pod, String key, String text) {
        var ops = MAPPER.createArrayNode();
        test(ops, "/metadata/uid", pod.id().uid());
        var before = pod.annotation(key);
        if (text.isEmpty()) {
            test(ops, path(key), before);
            ops.addObject().put("op", "remove").put("path", path(key));
        } else {
            annotate(ops, pod, key, text);
        }
        return ops.toString();
    }

    private static void annotate(ArrayNode ops, ScaledPod pod, String key, String value) {
        if (!pod.json().path("metadata").has("annotations")) {
            ops.addObject()
                    .put("op", "add")
                    .put("path", "/metadata/annotations")
                    .putObject("value");
        }
        ops.addObject().put("op", "add").put("path", path(key)).put("value", value);
    }

    /**
     * A resize of a pod as it was read, to the resources of its container: the subresource ignores annotations, so it
     * tests the fence, and the version, which changes with each fence.
     *
     * @param resources requests and limits of what is scaled
     */
    public static String resize(ScaledPod pod, JsonNode resources) {
        var ops = MAPPER.createArrayNode();
        test(ops, "/metadata/uid", pod.id().uid());
        test(ops, "/metadata/resourceVersion", pod.version());
        test(ops, path(ScaledPodKeys.FENCE), pod.fence());
        ops.addObject()
                .put("op", "replace")
                .put(
                        "path",
                        pod.isWhole()
                                ? "/spec/resources"
                                : "/spec/containers/" + pod.index().orElseThrow() + "/resources")
                .set("value", resources);
        return ops.toString();
    }

    /**
     * The resources of what is scaled at which the pod has that size, by its policy. They never change its QoS class,
     * and a kind that keeps its size is not touched.
     */
    public static JsonNode resources(ScaledPod pod, Resources target) {
        var read = pod.resources();
        var resources = read.isObject() ? read.deepCopy() : MAPPER.createObjectNode();
        var container = target.minus(pod.others());
        var requests = pod.requests();
        var limits = pod.limits();
        var policy = pod.options().policy();
        boolean keeps = pod.isGuaranteed();
        set(resources, CPU, policy, requests.milliCpu(), limits.milliCpu(), container.milliCpu(), keeps);
        set(resources, MEMORY, policy, requests.memoryBytes(), limits.memoryBytes(), container.memoryBytes(), keeps);
        return resources;
    }

    private static void set(
            JsonNode resources,
            String kind,
            PodOptions.Policy policy,
            long request,
            long limit,
            long to,
            boolean guaranteed) {
        switch (policy) {
            case BOTH -> {
                if (to != request) {
                    put(resources, "requests", kind, to);
                    if (limit > 0) {
                        put(resources, "limits", kind, guaranteed ? to : inProportion(request, limit, to));
                    }
                }
            }
            case REQUESTS -> {
                if (to != request) {
                    put(resources, "requests", kind, limit == 0 ? to : Math.min(to, limit));
                }
            }
            case LIMITS -> {
                if (to != limit) {
                    put(resources, "limits", kind, Math.max(to, request));
                }
            }
        }
    }

    /** A limit that is the request stays so: such a kind alone does not make the pod Guaranteed. */
    private static long inProportion(long request, long limit, long to) {
        return request == limit ? to : Math.max(to, Math.round((double) limit / request * to));
    }

    private static void put(JsonNode resources, String list, String kind, long amount) {
        var text = kind.equals(CPU) ? Quantities.cpuText(amount) : Quantities.memoryText(amount);
        ((ObjectNode) resources).withObjectProperty(list).put(kind, text);
    }

    private static void test(ArrayNode ops, String path, String value) {
        ops.addObject().put("op", "test").put("path", path).put("value", value);
    }

    private static String path(String annotation) {
        return "/metadata/annotations/" + annotation.replace("~", "~0").replace("/", "~1");
    }

    /**
     * The resources of what is scaled that the kubelet has accepted: what is allocated, and the limits in force. A
     * resize that waits is withdrawn to them.
     */
    public static JsonNode accepted(ScaledPod pod) {
        var resources = pod.resources().deepCopy();
        pod.inForce().ifPresent(found -> {
            copy(found.path("allocatedResources"), resources, "requests");
            copy(found.path("resources").path("limits"), resources, "limits");
        });
        return resources;
    }

    private static void copy(JsonNode from, JsonNode resources, String list) {
        for (var kind : new String[] {CPU, MEMORY}) {
            if (from.hasNonNull(kind) && resources.path(list).hasNonNull(kind)) {
                ((ObjectNode) resources.path(list)).set(kind, from.path(kind));
            }
        }
    }
}
