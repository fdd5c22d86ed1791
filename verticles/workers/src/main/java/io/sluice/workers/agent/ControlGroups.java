package io.sluice.workers.agent;

import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Control groups of instances, of version 2 or 1, where this process may make any: limits of CPU and memory, and the
 * end of what has left an instance's session.
 */
final class ControlGroups {
    private static final String OWN = "sluice-worker";
    private static final String CONTROLLERS = "cgroup.controllers";
    private static final String MEMBERS = "cgroup.procs";
    private static final String KILL = "cgroup.kill";

    /** Where a machine with version 1 has version 2 as well, without controllers. */
    private static final String BESIDE = "unified";

    private static final long PERIOD_MICROS = 100_000;
    private static final long MICROS_OF_MILLI_CPU = PERIOD_MICROS / 1_000;

    /** The kernel refuses less. */
    private static final long QUOTA_MIN_MICROS = 1_000;

    private final List<Path> parents;
    private final Optional<Path> cpu;
    private final Optional<Path> memory;
    private final String suffix;

    /**
     * @param parents of the groups, each once
     * @param cpu the one whose groups limit CPU
     * @param memory the one whose groups limit memory
     */
    private ControlGroups(List<Path> parents, Optional<Path> cpu, Optional<Path> memory, Path worker) {
        this.parents = parents;
        this.cpu = cpu;
        this.memory = memory;
        suffix = "." + Integer.toHexString(worker.toAbsolutePath().toString().hashCode());
    }

    /**
     * Those below this directory that may be made.
     *
     * @param worker the directory of the worker: several on one machine may have an instance of the same name
     */
    static ControlGroups below(Path directory, Path worker) {
        boolean second = Files.exists(directory.resolve(CONTROLLERS));
        var cpu = second ? second(directory) : own(directory.resolve("cpu"), "cpu.cfs_quota_us");
        var memory = second ? cpu : own(directory.resolve("memory"), "memory.limit_in_bytes");
        var plain = own(second ? directory : directory.resolve(BESIDE), CONTROLLERS);
        boolean limits = cpu.isPresent() && memory.isPresent();
        return new ControlGroups(
                Stream.of(cpu, memory, plain)
                        .flatMap(Optional::stream)
                        .distinct()
                        .toList(),
                cpu.filter(both -> limits),
                memory.filter(both -> limits),
                worker);
    }

    private static Optional<Path> own(Path hierarchy, String file) {
        try {
            return Files.exists(hierarchy.resolve(file))
                    ? Optional.of(Files.createDirectories(hierarchy.resolve(OWN)))
                    : Optional.empty();
        } catch (IOException | UnsupportedOperationException notAllowed) {
            return Optional.empty();
        }
    }

    private static Optional<Path> second(Path directory) {
        return own(directory, CONTROLLERS).filter(parent -> {
            try {
                var control = Files.readString(parent.resolve(CONTROLLERS));
                if (!control.contains("cpu") || !control.contains("memory")) {
                    return false;
                }
                Files.writeString(parent.resolve("cgroup.subtree_control"), "+cpu +memory");
                return true;
            } catch (IOException notAllowed) {
                return false;
            }
        });
    }

    private Path group(Path parent, String instance) {
        return parent.resolve(instance + suffix);
    }

    /** Whether limits are set. */
    boolean limits() {
        return cpu.isPresent();
    }

    /** Makes the groups of an instance, or changes their limits; empty where none can be made. */
    List<Path> limit(String instance, Resources amounts) throws IOException {
        List<Path> groups = new ArrayList<>();
        for (var parent : parents) {
            groups.add(Files.createDirectories(group(parent, instance)));
        }
        if (cpu.isPresent() && memory.isPresent()) {
            var ofCpu = group(cpu.get(), instance);
            var ofMemory = group(memory.get(), instance);
            long quota = Math.max(amounts.milliCpu() * MICROS_OF_MILLI_CPU, QUOTA_MIN_MICROS);
            var bytes = Long.toString(amounts.memoryBytes());
            if (ofCpu.equals(ofMemory)) {
                Files.writeString(ofCpu.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
                Files.writeString(ofMemory.resolve("memory.max"), bytes);
            } else {
                Files.writeString(ofCpu.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
                Files.writeString(ofCpu.resolve("cpu.cfs_quota_us"), Long.toString(quota));
                Files.writeString(ofMemory.resolve("memory.limit_in_bytes"), bytes);
            }
        }
        return groups;
    }

    /** Ends what is left of an instance whose guard has ended, which that has not done if it was killed itself. */
    void remove(String instance) {
        for (var parent : parents) {
            var group = group(parent, instance);
            try {
                if (Files.exists(group.resolve(KILL))) {
                    Files.writeString(group.resolve(KILL), "1");
                } else if (Files.exists(group.resolve(MEMBERS))) {
                    Files.readAllLines(group.resolve(MEMBERS)).stream()
                            .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                            .forEach(ProcessHandle::destroyForcibly);
                }
                Files.deleteIfExists(group);
            } catch (IOException stillInUse) {
                // It is used again, or removed with the machine.
            }
        }
    }
}
