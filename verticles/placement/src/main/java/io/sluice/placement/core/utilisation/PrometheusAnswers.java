package io.sluice.placement.core.utilisation;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Which queries read what is in use of nodes, and what their answers mean. A node without CPU, memory or time of
 * measurement is left out: it counts as not measured.
 */
public final class PrometheusAnswers {
    private static final String GPU = "gpu";
    private static final String MODEL = "modelName";
    private static final double ALL = 100;
    private static final double MILLI = 1_000;
    private static final int NODES_MAX = 20_000;

    private final String label;

    /** @param label that holds the name of the node */
    public PrometheusAnswers(String label) {
        this.label = label;
    }

    /** What is read. */
    public enum Reading {
        CPU,
        MEMORY,
        AGE,
        CPU_WAITING,
        MEMORY_WAITING,
        GPU_BUSY,
        GPU_BANDWIDTH,
        GPU_USED,
        GPU_FREE
    }

    /** The query of a reading. */
    public String query(Reading reading) {
        return switch (reading) {
            case CPU -> "100 * (1 - avg by (%s) (rate(node_cpu_seconds_total{mode=\"idle\"}[2m])))".formatted(label);
            case MEMORY ->
                "100 * (1 - sum by (%s) (node_memory_MemAvailable_bytes) / sum by (%s) (node_memory_MemTotal_bytes))"
                        .formatted(label, label);
            case AGE -> "max by (%s) (time() - timestamp(node_memory_MemAvailable_bytes))".formatted(label);
            case CPU_WAITING -> waiting("cpu");
            case MEMORY_WAITING -> waiting("memory");
            case GPU_BUSY -> gpu("max_over_time(DCGM_FI_DEV_GPU_UTIL[2m])");
            case GPU_BANDWIDTH -> gpu("max_over_time(DCGM_FI_DEV_MEM_COPY_UTIL[2m])");
            case GPU_USED -> gpu("DCGM_FI_DEV_FB_USED");
            case GPU_FREE -> gpu("DCGM_FI_DEV_FB_FREE");
        };
    }

    private String waiting(String kind) {
        return "100 * max by (%s) (rate(node_pressure_%s_waiting_seconds_total[2m]))".formatted(label, kind);
    }

    private String gpu(String metric) {
        return "max by (%s, %s, %s) (%s)".formatted(label, GPU, MODEL, metric);
    }

    /** A GPU of a node. */
    private record Device(String node, String number, String model) {}

    /**
     * What was measured.
     *
     * @param now answers to the queries
     * @param ranges answers to the same queries over a while, of CPU and memory
     * @param readAt when they were answered, by the clock of the reader; that of Prometheus may differ
     */
    public List<NodeMetrics> nodes(Map<Reading, JsonNode> now, Map<Reading, JsonNode> ranges, Instant readAt) {
        var cpu = byNode(now.get(Reading.CPU));
        var memory = byNode(now.get(Reading.MEMORY));
        var age = byNode(now.get(Reading.AGE));
        var cpuPeak = peaks(ranges.get(Reading.CPU));
        var memoryPeak = peaks(ranges.get(Reading.MEMORY));
        var devices = devices(now);
        var waiting = byNode(now.get(Reading.CPU_WAITING));
        byNode(now.get(Reading.MEMORY_WAITING)).forEach((node, percent) -> waiting.merge(node, percent, Math::max));
        var nodes = new ArrayList<NodeMetrics>();
        age.forEach((node, seconds) -> {
            if (cpu.containsKey(node) && memory.containsKey(node) && nodes.size() < NODES_MAX) {
                nodes.add(new NodeMetrics(
                        node,
                        readAt.minusMillis(Math.round(Math.max(0, seconds) * MILLI)),
                        cpu.get(node),
                        memory.get(node),
                        cpuPeak.getOrDefault(node, cpu.get(node)),
                        memoryPeak.getOrDefault(node, memory.get(node)),
                        devices.getOrDefault(node, List.of()),
                        optional(waiting.get(node))));
            }
        });
        return nodes;
    }

    /** When an answer was made, in seconds by the clock of Prometheus; empty where it has no samples. */
    public static OptionalLong answeredAt(JsonNode answer) {
        for (var sample : result(answer)) {
            return OptionalLong.of(sample.path("value").path(0).asLong());
        }
        return OptionalLong.empty();
    }

    private Map<String, List<DeviceUse>> devices(Map<Reading, JsonNode> now) {
        var busy = byDevice(now.get(Reading.GPU_BUSY));
        var bandwidth = byDevice(now.get(Reading.GPU_BANDWIDTH));
        var used = byDevice(now.get(Reading.GPU_USED));
        var free = byDevice(now.get(Reading.GPU_FREE));
        var devices = new HashMap<String, List<DeviceUse>>();
        var sorted = new TreeMap<String, Device>();
        List.of(busy, bandwidth, used, free)
                .forEach(known ->
                        known.keySet().forEach(device -> sorted.put(device.node() + "/" + device.number(), device)));
        sorted.values().forEach(device -> {
            double all = used.getOrDefault(device, 0.0) + free.getOrDefault(device, 0.0);
            boolean known = used.containsKey(device) && free.containsKey(device) && all > 0;
            devices.computeIfAbsent(device.node(), added -> new ArrayList<>())
                    .add(new DeviceUse(
                            device.model(),
                            known ? Math.round(all) : 0,
                            known ? OptionalDouble.of(ALL * used.get(device) / all) : OptionalDouble.empty(),
                            optional(busy.get(device)),
                            optional(bandwidth.get(device))));
        });
        return devices;
    }

    private static OptionalDouble optional(Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private Map<String, Double> byNode(JsonNode answer) {
        var values = new HashMap<String, Double>();
        for (var sample : result(answer)) {
            var node = sample.path("metric").path(label).asText("");
            double value = number(sample.path("value").path(1));
            if (!node.isEmpty() && Double.isFinite(value)) {
                values.put(node, value);
            }
        }
        return values;
    }

    private Map<Device, Double> byDevice(JsonNode answer) {
        var values = new HashMap<Device, Double>();
        for (var sample : result(answer)) {
            var metric = sample.path("metric");
            var device = new Device(
                    metric.path(label).asText(""),
                    metric.path(GPU).asText(""),
                    metric.path(MODEL).asText(""));
            double value = number(sample.path("value").path(1));
            if (!device.node().isEmpty() && Double.isFinite(value) && value >= 0) {
                values.put(device, value);
            }
        }
        return values;
    }

    private Map<String, Double> peaks(JsonNode answer) {
        var values = new HashMap<String, Double>();
        for (var series : result(answer)) {
            var node = series.path("metric").path(label).asText("");
            for (var sample : series.path("values")) {
                double value = number(sample.path(1));
                if (!node.isEmpty() && Double.isFinite(value)) {
                    values.merge(node, value, Math::max);
                }
            }
        }
        return values;
    }

    private static Iterable<JsonNode> result(JsonNode answer) {
        return answer == null ? List.of() : answer.path("data").path("result");
    }

    private static double number(JsonNode text) {
        try {
            return Double.parseDouble(text.asText());
        } catch (NumberFormatException none) {
            return Double.NaN;
        }
    }
}
