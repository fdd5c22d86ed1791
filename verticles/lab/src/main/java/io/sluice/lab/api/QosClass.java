package io.sluice.lab.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;

/** The class of service that an API server gives a pod, by what its containers request. */
final class QosClass {
    /** What requests and limits count for it. */
    static final List<String> COUNTED = List.of("cpu", "memory");

    private QosClass() {}

    /** @param spec of the pod */
    static String of(JsonNode spec) {
        var containers = Stream.of("containers", "initContainers")
                .flatMap(list -> spec.path(list).valueStream())
                .map(container -> container.path("resources"))
                .toList();
        if (containers.stream().noneMatch(QosClass::namesAny)) {
            return "BestEffort";
        }
        return containers.stream().allMatch(QosClass::isGuaranteed) ? "Guaranteed" : "Burstable";
    }

    private static boolean namesAny(JsonNode resources) {
        return COUNTED.stream()
                .anyMatch(kind -> resources.path("requests").has(kind)
                        || resources.path("limits").has(kind));
    }

    private static boolean isGuaranteed(JsonNode resources) {
        var limits = resources.path("limits");
        var requests = resources.path("requests");
        return COUNTED.stream()
                .allMatch(kind -> limits.has(kind)
                        && (!requests.has(kind) || requests.path(kind).equals(limits.path(kind))));
    }
}
