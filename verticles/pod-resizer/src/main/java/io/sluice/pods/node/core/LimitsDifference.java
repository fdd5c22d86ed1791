package io.sluice.pods.node.core;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.shell.Quantities;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Compares the limits of a control group, of a container or of a pod, with those of its status. A kubelet may report
 * limits that no control group has (kubernetes#138760).
 */
public final class LimitsDifference {
    /** Drivers of control groups round CPU limits by up to 10 ms in each second. */
    private static final long CPU_ROUNDING = 10;

    /** The kernel rounds memory limits to pages, of 64 KiB at most. */
    private static final long MEMORY_ROUNDING = 64 << 10;

    private LimitsDifference() {}

    /**
     * How they differ, in words; empty if they do not.
     *
     * @param limits the object {@code resources.limits} of the status
     * @param cpuMax the text of {@code cpu.max}; empty if there is no such file
     * @param memoryMax the text of {@code memory.max}; empty if there is no such file
     */
    public static Optional<String> of(JsonNode limits, Optional<String> cpuMax, Optional<String> memoryMax) {
        var status = limits.path("cpu").asText("");
        var memory = limits.path("memory").asText("");
        return cpuMax.filter(text -> differ(
                        CgroupText.milliCpu(text),
                        status.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Quantities.milliCpu(status)),
                        CPU_ROUNDING))
                .map(text -> words(
                        "CPU",
                        CgroupText.milliCpu(text).stream()
                                .mapToObj(found -> found + "m")
                                .findFirst(),
                        status))
                .or(() -> memoryMax
                        .filter(text -> differ(
                                CgroupText.bytes(text),
                                memory.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Quantities.bytes(memory)),
                                MEMORY_ROUNDING))
                        .map(text -> words(
                                "memory",
                                CgroupText.bytes(text).stream()
                                        .mapToObj(Quantities::memoryText)
                                        .findFirst(),
                                memory)));
    }

    private static boolean differ(OptionalLong found, OptionalLong status, long rounding) {
        return found.isPresent() != status.isPresent()
                || found.isPresent() && Math.abs(found.getAsLong() - status.getAsLong()) > rounding;
    }

    private static String words(String kind, Optional<String> found, String status) {
        return "its control group has "
                + found.map(limit -> "a " + kind + " limit of " + limit).orElse("no " + kind + " limit")
                + ", and its status has " + (status.isEmpty() ? "none" : status);
    }
}
