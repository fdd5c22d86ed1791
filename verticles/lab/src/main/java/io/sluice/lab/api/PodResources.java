package io.sluice.lab.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.lab.api.ObjectStore.Part;
import io.sluice.shell.Quantities;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Requests and limits of pods: only the subresource {@code resize} changes them, and it changes nothing else. So it
 * ignores what it is sent of labels and annotations.
 */
final class PodResources {
    private static final String RESOURCES = "resources";
    private static final List<String> LISTS = List.of("requests", "limits");

    private PodResources() {}

    /** The present pod with the resources that an update has for its containers, by their names, and for itself. */
    static ObjectNode resized(ObjectNode current, JsonNode wanted) {
        var next = current.deepCopy();
        for (var container : containers(next).toList()) {
            containers(wanted)
                    .filter(other -> other.path("name").equals(container.path("name")))
                    .forEach(other -> set((ObjectNode) container, other.path(RESOURCES)));
        }
        set(next.withObject("spec"), wanted.at("/spec/resources"));
        return next;
    }

    private static void set(ObjectNode object, JsonNode resources) {
        if (resources.isObject()) {
            object.set(RESOURCES, resources);
        } else {
            object.remove(RESOURCES);
        }
    }

    private static Stream<JsonNode> containers(JsonNode pod) {
        return Stream.of("containers", "initContainers")
                .flatMap(list -> pod.path("spec").path(list).valueStream());
    }

    private static List<JsonNode> all(JsonNode pod) {
        return Stream.concat(Stream.of(pod.path("spec")), containers(pod))
                .map(holder -> holder.path(RESOURCES))
                .toList();
    }

    /** Why a pod may not become that; empty if it may. */
    static Optional<String> refusal(JsonNode current, JsonNode next, Part part) {
        if (all(next).equals(all(current))) {
            return Optional.empty();
        }
        return part == Part.RESIZE
                ? refusal(current, next)
                : Optional.of("spec: Forbidden: pod updates may not change fields other than"
                        + " `spec.containers[*].image`, and some more");
    }

    private static Optional<String> refusal(JsonNode current, JsonNode next) {
        if (!others(next).equals(others(current))) {
            return Optional.of("spec: Forbidden: only cpu and memory resources are mutable");
        }
        if (!QosClass.of(next.path("spec"))
                .equals(current.at("/status/qosClass").asText())) {
            return Optional.of("metadata: Invalid value: Pod QOS Class may not change as a result of resizing");
        }
        return all(next).stream().flatMap(PodResources::above).findFirst();
    }

    /** Resources that nothing can change while the pod runs. */
    private static List<List<Map.Entry<String, JsonNode>>> others(JsonNode pod) {
        return all(pod).stream()
                .flatMap(resources -> LISTS.stream().map(resources::path))
                .map(list -> list.properties().stream()
                        .filter(one -> !QosClass.COUNTED.contains(one.getKey()))
                        .toList())
                .toList();
    }

    private static Stream<String> above(JsonNode resources) {
        return QosClass.COUNTED.stream()
                .filter(kind -> resources.path("limits").has(kind)
                        && amount(resources, "requests", kind) > amount(resources, "limits", kind))
                .map(kind -> "spec.containers.resources.requests: Invalid value: must be less than or equal to " + kind
                        + " limit");
    }

    /**
     * Why a pod requests more than its node as a whole has; empty if it does not.
     *
     * @param node the Node object; null if there is none of that name
     */
    static Optional<String> beyond(String name, JsonNode node, JsonNode pod) {
        if (node == null) {
            return Optional.of("node \"" + name + "\" not found");
        }
        var allocatable = node.path("status");
        return QosClass.COUNTED.stream()
                .filter(kind -> requested(pod, kind) > amount(allocatable, "allocatable", kind))
                .map(kind -> "node didn't have enough allocatable resources: " + kind + ", requested: "
                        + requested(pod, kind) + ", allocatable: " + amount(allocatable, "allocatable", kind))
                .findFirst();
    }

    private static long requested(JsonNode pod, String kind) {
        return pod.at("/spec/containers")
                .valueStream()
                .mapToLong(container -> amount(container.path(RESOURCES), "requests", kind))
                .sum();
    }

    private static long amount(JsonNode resources, String list, String kind) {
        var quantity = resources.path(list).path(kind).asText("0");
        return kind.equals("cpu") ? Quantities.milliCpu(quantity) : Quantities.bytes(quantity);
    }
}
