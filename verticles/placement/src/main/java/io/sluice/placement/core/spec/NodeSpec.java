package io.sluice.placement.core.spec;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A node.
 *
 * @param unschedulable whether it is cordoned
 * @param allocatable by resource: CPU in milli-CPU, all others in their own unit; {@code pods} is the number of pods
 */
public record NodeSpec(
        String name,
        Map<String, String> labels,
        List<Taint> taints,
        boolean unschedulable,
        Map<String, Long> allocatable) {
    public NodeSpec {
        Objects.requireNonNull(name, "name");
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        allocatable = Map.copyOf(allocatable);
    }
}
