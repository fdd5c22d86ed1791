package io.sluice.workers.agent;

import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Limits of CPU and memory by control groups, of version 2 or 1, where this process may make any. */
final class ControlGroups {
    private static final String OWN = "sluice-worker";
    private static final long PERIOD_MICROS = 100_000;
    private static final long MICROS_OF_MILLI_CPU = PERIOD_MICROS / 1_000;

    /** The kernel refuses less. */
    private static final long QUOTA_MIN_MICROS = 1_000;

    private final List<Path> parents;
    private final boolean first;

    /** @param parents one of version 2; of version 1 those of CPU and of memory, in this order */
    private ControlGroups(List<Path> parents, boolean first) {
        this.parents = parents;
        this.first = first;
    }

    /** Those below this directory, if it has both controllers and may be written. */
    static ControlGroups below(Path directory) {
        try {
            return Files.exists(directory.resolve("cgroup.controllers")) ? second(directory) : first(directory);
        } catch (IOException | UnsupportedOperationException notAllowed) {
            return new ControlGroups(List.of(), false);
        }
    }

    private static ControlGroups second(Path directory) throws IOException {
        var parent = Files.createDirectories(directory.resolve(OWN));
        var control = Files.readString(parent.resolve("cgroup.controllers"));
        if (!control.contains("cpu") || !control.contains("memory")) {
            return new ControlGroups(List.of(), false);
        }
        Files.writeString(parent.resolve("cgroup.subtree_control"), "+cpu +memory");
        return new ControlGroups(List.of(parent), false);
    }

    private static ControlGroups first(Path directory) throws IOException {
        var cpu = directory.resolve("cpu");
        var memory = directory.resolve("memory");
        if (!Files.exists(cpu.resolve("cpu.cfs_quota_us")) || !Files.exists(memory.resolve("memory.limit_in_bytes"))) {
            return new ControlGroups(List.of(), true);
        }
        return new ControlGroups(
                List.of(Files.createDirectories(cpu.resolve(OWN)), Files.createDirectories(memory.resolve(OWN))), true);
    }

    /** Whether limits are set. */
    boolean limits() {
        return !parents.isEmpty();
    }

    /** Makes the groups of an instance, or changes their limits; empty where there are no limits. */
    List<Path> limit(String instance, Resources amounts) throws IOException {
        if (parents.isEmpty()) {
            return List.of();
        }
        var groups = List.of(
                Files.createDirectories(parents.getFirst().resolve(instance)),
                Files.createDirectories(parents.getLast().resolve(instance)));
        long quota = Math.max(amounts.milliCpu() * MICROS_OF_MILLI_CPU, QUOTA_MIN_MICROS);
        var bytes = Long.toString(amounts.memoryBytes());
        if (first) {
            Files.writeString(groups.getFirst().resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
            Files.writeString(groups.getFirst().resolve("cpu.cfs_quota_us"), Long.toString(quota));
            Files.writeString(groups.getLast().resolve("memory.limit_in_bytes"), bytes);
        } else {
            Files.writeString(groups.getFirst().resolve("cpu.max"), quota + " " + PERIOD_MICROS);
            Files.writeString(groups.getFirst().resolve("memory.max"), bytes);
        }
        return groups.stream().distinct().toList();
    }

    /** Removes the groups of an instance that has ended. */
    void remove(String instance) {
        for (var parent : parents) {
            try {
                Files.deleteIfExists(parent.resolve(instance));
            } catch (IOException stillInUse) {
                // It is used again, or removed with the machine.
            }
        }
    }
}
