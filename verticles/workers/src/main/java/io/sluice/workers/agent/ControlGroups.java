package io.sluice.workers.agent;

import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Limits of CPU and memory by control groups of version 2, where this process may make any. */
final class ControlGroups {
    private static final long PERIOD_MICROS = 100_000;
    private static final long MICROS_OF_MILLI_CPU = PERIOD_MICROS / 1_000;

    private final Optional<Path> parent;

    private ControlGroups(Optional<Path> parent) {
        this.parent = parent;
    }

    /** Those below this directory, if it has both controllers and may be written. */
    static ControlGroups below(Path directory) {
        try {
            var parent = Files.createDirectories(directory.resolve("sluice-worker"));
            var control = Files.readString(parent.resolve("cgroup.controllers"));
            if (!control.contains("cpu") || !control.contains("memory")) {
                return new ControlGroups(Optional.empty());
            }
            Files.writeString(parent.resolve("cgroup.subtree_control"), "+cpu +memory");
            return new ControlGroups(Optional.of(parent));
        } catch (IOException | UnsupportedOperationException notAllowed) {
            return new ControlGroups(Optional.empty());
        }
    }

    /** Whether limits are set. */
    boolean limits() {
        return parent.isPresent();
    }

    /** Makes the group of an instance, or changes its limits. */
    Optional<Path> limit(String instance, Resources amounts) throws IOException {
        if (parent.isEmpty()) {
            return Optional.empty();
        }
        var group = Files.createDirectories(parent.get().resolve(instance));
        Files.writeString(group.resolve("cpu.max"), amounts.milliCpu() * MICROS_OF_MILLI_CPU + " " + PERIOD_MICROS);
        Files.writeString(group.resolve("memory.max"), Long.toString(amounts.memoryBytes()));
        return Optional.of(group);
    }

    /** Removes the group of an instance that has ended. */
    void remove(String instance) {
        parent.ifPresent(directory -> {
            try {
                Files.deleteIfExists(directory.resolve(instance));
            } catch (IOException stillInUse) {
                // It is used again, or removed with the machine.
            }
        });
    }
}
