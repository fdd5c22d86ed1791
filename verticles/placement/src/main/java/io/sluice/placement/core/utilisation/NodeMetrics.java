package io.sluice.placement.core.utilisation;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What was measured on a node.
 *
 * @param node its name
 * @param at the end of the window in which it was measured
 * @param cpu in use, in percent of the node
 * @param memory in use, in percent of the node
 * @param cpuPeak the highest of the last while, in percent; at least {@code cpu}
 * @param memoryPeak the same of memory
 * @param devices its GPUs
 * @param waiting in which part of the time some task waited for CPU or memory (pressure stall information), in percent;
 *     empty where the node does not show it
 */
public record NodeMetrics(
        String node,
        Instant at,
        double cpu,
        double memory,
        double cpuPeak,
        double memoryPeak,
        List<DeviceUse> devices,
        OptionalDouble waiting) {
    public NodeMetrics {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(at, "at");
        cpuPeak = Math.max(cpu, cpuPeak);
        memoryPeak = Math.max(memory, memoryPeak);
        devices = List.copyOf(devices);
        Objects.requireNonNull(waiting, "waiting");
    }

    /** A node without GPUs of which no peak is known. */
    public NodeMetrics(String node, Instant at, double cpu, double memory) {
        this(node, at, cpu, memory, cpu, memory, List.of(), OptionalDouble.empty());
    }
}
