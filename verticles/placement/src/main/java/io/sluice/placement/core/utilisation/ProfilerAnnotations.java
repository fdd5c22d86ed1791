package io.sluice.placement.core.utilisation;

import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What Alnair's profilers write to objects: the older one to nodes, the newer one to pods. A value that cannot be read
 * is unknown.
 */
public final class ProfilerAnnotations {
    /** What all annotations of the older one begin with. */
    public static final String NODE_PREFIX = "ai.centaurus.io/";

    private static final String STATIC = NODE_PREFIX + "gpu-static";
    private static final String DEVICE = NODE_PREFIX + "gpu-";
    private static final String POD_PREFIX = "alnair.centaurusinfra.io/";
    private static final String THRESHOLDS = "autoscaling.sluice.io/utilisation-thresholds";
    private static final int DEVICES_MAX = 64;
    private static final long MIB_PER_GIB = 1024;
    private static final double ALL = 100;
    private static final long MILLI_PER_PERCENT = 10;
    private static final long BYTES_PER_MB = 1_000_000;

    private ProfilerAnnotations() {}

    /**
     * The GPUs of a node, which all are of one model.
     *
     * @param count 0 where it is not known
     */
    public record Devices(int count, String model, long memoryMib) {}

    /** What the older profiler wrote once. */
    public static Devices devices(String text) {
        var read = LiteralParser.dictionary(text);
        return new Devices(
                (int) Math.clamp(number(read.get("count")).orElse(0), 0, DEVICES_MAX),
                String.valueOf(read.getOrDefault("model", "")),
                memoryMib(read.get("mem_size")));
    }

    /** The GPUs of a node and their use. */
    public static List<DeviceUse> node(Map<String, String> annotations) {
        var devices = devices(annotations.getOrDefault(STATIC, ""));
        var used = new ArrayList<DeviceUse>();
        for (int i = 0; i < devices.count(); i++) {
            var read = LiteralParser.dictionary(annotations.getOrDefault(DEVICE + i, ""));
            var inUse = number(read.get("mem_used"));
            var free = number(read.get("mem_free"));
            boolean known = inUse.isPresent() && free.isPresent() && inUse.getAsDouble() + free.getAsDouble() > 0;
            used.add(new DeviceUse(
                    devices.model(),
                    devices.memoryMib(),
                    known
                            ? percent(ALL * inUse.getAsDouble() / (inUse.getAsDouble() + free.getAsDouble()))
                            : OptionalDouble.empty(),
                    percent(number(read.get("max_gpu_util"))),
                    percent(number(read.get("max_mem_bw_util")))));
        }
        return used;
    }

    /** The recorded peak of a pod, as either profiler wrote it. */
    public static Optional<Resources> podPeak(Map<String, String> annotations) {
        var cpu = first(annotations, POD_PREFIX + "max_cpu_util", NODE_PREFIX + "cpu_util", "cpu_util");
        var memory = first(annotations, POD_PREFIX + "max_cpu_mem_mb", NODE_PREFIX + "cpu_mem_mb", "cpu_mem_mb");
        return cpu.isEmpty() && memory.isEmpty()
                ? Optional.empty()
                : Optional.of(new Resources(
                        Math.round(Math.max(0, cpu.orElse(0)) * MILLI_PER_PERCENT),
                        Math.round(Math.max(0, memory.orElse(0)) * BYTES_PER_MB)));
    }

    /** A node's own thresholds, such as {@code {"cpu": 70}}; empty where it has none that can be read. */
    public static Optional<UtilisationRules.Thresholds> thresholds(Map<String, String> annotations) {
        var read = LiteralParser.dictionary(annotations.getOrDefault(THRESHOLDS, ""));
        var cpu = percent(number(read.get("cpu")));
        var memory = percent(number(read.get("memory")));
        return cpu.isEmpty() && memory.isEmpty()
                ? Optional.empty()
                : Optional.of(new UtilisationRules.Thresholds((int) cpu.orElse(0), (int) memory.orElse(0)));
    }

    private static OptionalDouble first(Map<String, String> annotations, String... keys) {
        for (var key : keys) {
            var read = number(annotations.get(key));
            if (read.isPresent()) {
                return read;
            }
        }
        return OptionalDouble.empty();
    }

    private static OptionalDouble percent(OptionalDouble value) {
        return value.isPresent() ? percent(value.getAsDouble()) : value;
    }

    private static OptionalDouble percent(double value) {
        return value >= 0 && value <= ALL ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /** A text such as {@code 12GB}; zero where it is none. */
    private static long memoryMib(Object text) {
        var digits = String.valueOf(text).strip();
        boolean gib = digits.endsWith("GB");
        var read = number(gib || digits.endsWith("MB") ? digits.substring(0, digits.length() - 2) : digits);
        return Math.round(Math.clamp(read.orElse(0), 0, 1e9) * (gib ? MIB_PER_GIB : 1));
    }

    private static OptionalDouble number(Object text) {
        try {
            double read = Double.parseDouble(String.valueOf(text).strip());
            return Double.isFinite(read) ? OptionalDouble.of(read) : OptionalDouble.empty();
        } catch (NumberFormatException none) {
            return OptionalDouble.empty();
        }
    }
}
