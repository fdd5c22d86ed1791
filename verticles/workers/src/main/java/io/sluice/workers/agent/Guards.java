package io.sluice.workers.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Starts instances below a guard each: a process that ends the instance once its lease runs out, whatever has become of
 * this program. The lease is a file that all guards of this run read.
 */
final class Guards {
    private static final String SCRIPT = "guard.sh";
    private static final String NONE = "-";
    private static final String PID = ".pid";

    private final Path directory;
    private final Path script;
    private final Path lease;
    private Duration grace;

    private Guards(Path directory, Path script, Path lease, Duration grace) {
        this.directory = directory;
        this.script = script;
        this.lease = lease;
        this.grace = grace;
    }

    /** Prepares the directory, and ends what an earlier run of this program has left there. */
    static Guards in(Path directory, long boot, Duration grace) throws IOException {
        Files.createDirectories(directory);
        var script = directory.resolve(SCRIPT);
        try (var text = Objects.requireNonNull(Guards.class.getResourceAsStream(SCRIPT), SCRIPT)) {
            Files.copy(text, script, StandardCopyOption.REPLACE_EXISTING);
        }
        var guards = new Guards(directory, script, directory.resolve("lease-" + boot), grace);
        guards.endEarlier();
        guards.extend(Duration.ZERO);
        return guards;
    }

    private void endEarlier() throws IOException {
        try (var files = Files.newDirectoryStream(directory, "*" + PID)) {
            for (var file : files) {
                ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
                        .filter(this::isGuard)
                        .ifPresent(ProcessHandle::destroy);
                Files.delete(file);
            }
        }
    }

    /** A number may be another process's by now. */
    private boolean isGuard(ProcessHandle process) {
        return process.info()
                .arguments()
                .map(Stream::of)
                .orElseGet(Stream::empty)
                .anyMatch(script.toString()::equals);
    }

    /** How long instances that start from now on may take to end by themselves. */
    void grace(Duration time) {
        grace = time;
    }

    /** Exclusive instances may run until then, and no longer. */
    void extend(Duration until) throws IOException {
        var next = directory.resolve("lease.next");
        Files.writeString(next, BootClock.hundredths(until) + "\n");
        Files.move(next, lease, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    Process start(String instance, ProcessDefinition definition, boolean exclusive, Optional<Path> group)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add("/bin/sh");
        command.add(script.toString());
        command.add(exclusive ? lease.toString() : NONE);
        command.add(BootClock.hundredths(grace));
        command.add(group.map(Path::toString).orElse(NONE));
        command.addAll(definition.command());
        var builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        var path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", path));
        builder.environment().putAll(definition.environment());
        var process = builder.start();
        Files.writeString(directory.resolve(instance + PID), Long.toString(process.pid()));
        return process;
    }

    void ended(String instance) {
        try {
            Files.deleteIfExists(directory.resolve(instance + PID));
        } catch (IOException left) {
            // The next run finds no process of that number, or another's.
        }
    }
}
