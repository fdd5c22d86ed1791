package io.sluice.placement.core.zones;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a pod requests of zones.
 *
 * @param guaranteed whether its quality of service is Guaranteed; only then CPU and memory are aligned
 * @param containers what each requests, by resource
 */
public record ZoneRequest(boolean guaranteed, List<Map<String, Long>> containers) {
    private static final String HUGE_PAGES = "hugepages-";

    public ZoneRequest {
        containers = containers.stream().map(Map::copyOf).toList();
    }

    /** What is aligned together: each container, or the sum of all. */
    List<Map<String, Long>> parts(Topology node) {
        if (!node.byPod()) {
            return containers;
        }
        var sum = new HashMap<String, Long>();
        containers.forEach(
                container -> container.forEach((resource, amount) -> sum.merge(resource, amount, Long::sum)));
        return List.of(sum);
    }

    /** Whether a resource has to be in the pod's zone. */
    boolean aligns(String resource) {
        return guaranteed || !resource.equals("cpu") && !resource.equals("memory") && !resource.startsWith(HUGE_PAGES);
    }
}
