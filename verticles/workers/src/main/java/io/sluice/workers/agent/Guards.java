package io.sluice.workers.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Starts instances below a guard each: a process that ends the instance once its lease runs out, whatever has become of
 * this program. The lease is a file that all guards read. Guards outlive this program, and its next run finds them.
 */
final class Guards {
    private static final String SCRIPT = "guard.sh";
    private static final String NONE = "-";
    /** No kind is empty, so that no instance has the name of a file of the worker or of another instance. */
    private static final String FOLDER = ".pod";

    private static final String PID = ".pid";
    private static final String EXIT = ".exit";
    private static final String START = ".start";
    private static final String CLEANUP = ".cleanup";
    private static final String VARIABLES = ".variables";
    private static final int KILLED = 137;

    private final Path directory;
    private final Path script;
    private final Path lease;
    private final Path clock;
    private Duration grace;

    private Guards(Path directory, Path script, Path lease, Path clock, Duration grace) {
        this.clock = clock;
        this.directory = directory;
        this.script = script;
        this.lease = lease;
        this.grace = grace;
    }

    /**
     * A guard and its instance.
     *
     * @param exit completes with the exit status of the instance
     */
    record Guard(
            String instance,
            long generation,
            boolean exclusive,
            ProcessHandle process,
            CompletableFuture<Integer> exit) {}

    /**
     * Prepares the directory, which its user alone may write.
     *
     * @param clock a file like {@link BootClock#UPTIME}
     */
    static Guards in(Path directory, Duration grace, Path clock) throws IOException {
        WorkerDirectory.make(directory);
        var script = directory.resolve(SCRIPT);
        // A running guard reads its script as it goes, so the file is replaced and never changed.
        var next = directory.resolve(SCRIPT + ".next");
        try (var text = Objects.requireNonNull(Guards.class.getResourceAsStream(SCRIPT), SCRIPT)) {
            Files.copy(text, next, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(next, script, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return new Guards(directory, script, directory.resolve("lease"), clock, grace);
    }

    /**
     * The guards that an earlier run of this program has left. The lease of exclusive instances goes on as that run
     * wrote it; without any of them it is over.
     */
    List<Guard> earlier() throws IOException {
        var found = new ArrayList<Guard>();
        try (var files = Files.newDirectoryStream(directory, "*" + PID)) {
            for (var file : files) {
                var name = file.getFileName().toString();
                var instance = name.substring(0, name.length() - PID.length());
                var guard = earlier(instance);
                guard.ifPresent(found::add);
                if (guard.isEmpty()) {
                    ended(instance);
                }
            }
        }
        if (found.stream().noneMatch(Guard::exclusive)) {
            extend(Duration.ZERO);
        }
        return found;
    }

    private Optional<Guard> earlier(String instance) {
        try {
            long pid = Long.parseLong(Files.readString(file(instance, PID)).strip());
            var start = Files.readString(file(instance, START)).strip().split(" ");
            return ProcessHandle.of(pid)
                    .filter(process -> isGuard(process, instance))
                    .map(process -> new Guard(
                            instance,
                            Long.parseLong(start[0]),
                            Boolean.parseBoolean(start[1]),
                            process,
                            process.onExit().thenApply(ended -> exitStatus(instance))));
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException unreadable) {
            return Optional.empty();
        }
    }

    private Path file(String instance, String kind) {
        return directory.resolve(instance + kind);
    }

    /** A number may be another process's by now. */
    private boolean isGuard(ProcessHandle process, String instance) {
        var exit = file(instance, EXIT).toString();
        return process.info()
                .arguments()
                .map(Stream::of)
                .orElseGet(Stream::empty)
                .anyMatch(exit::equals);
    }

    private int exitStatus(String instance) {
        try {
            return Integer.parseInt(Files.readString(file(instance, EXIT)).strip());
        } catch (IOException | NumberFormatException killed) {
            return KILLED;
        }
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

    /**
     * Starts a guard and its instance. The instance's variables are in no argument, and not in the environment of the
     * guard, which they could have execute anything: the child reads them from a file right before its program. Whoever
     * defines an instance chooses its program's environment, so variables such as {@code LD_PRELOAD} take effect there.
     */
    Guard start(String instance, long generation, boolean exclusive, Startable definition, List<Path> groups)
            throws IOException {
        try {
            return begin(instance, generation, exclusive, definition, groups);
        } catch (IOException failed) {
            Files.deleteIfExists(file(instance, VARIABLES));
            throw failed;
        }
    }

    private Guard begin(String instance, long generation, boolean exclusive, Startable definition, List<Path> groups)
            throws IOException {
        Files.deleteIfExists(file(instance, EXIT));
        var prepared = definition.prepare(file(instance, FOLDER), instance);
        var cleanup = NONE;
        if (!prepared.cleanup().isEmpty()) {
            cleanup = Files.writeString(file(instance, CLEANUP), prepared.cleanup())
                    .toString();
        }
        var variables = NONE;
        if (!prepared.environment().isEmpty()) {
            variables = WorkerDirectory.writeSecret(
                            file(instance, VARIABLES), ShellText.exports(prepared.environment()))
                    .toString();
        }
        List<String> command = new ArrayList<>();
        command.add("/bin/sh");
        command.add(script.toString());
        command.add(clock.toString());
        command.add(exclusive ? lease.toString() : NONE);
        command.add(BootClock.hundredths(grace));
        command.add(
                groups.isEmpty()
                        ? NONE
                        : String.join(":", groups.stream().map(Path::toString).toList()));
        command.add(file(instance, EXIT).toString());
        command.add(cleanup);
        command.add(variables);
        command.addAll(prepared.command());
        var builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        var path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        remember(instance, generation, exclusive);
        var process = builder.start();
        Files.writeString(file(instance, PID), Long.toString(process.pid()));
        return new Guard(
                instance,
                generation,
                exclusive,
                process.toHandle(),
                process.onExit().thenApply(Process::exitValue));
    }

    /** Writes down under which generation the instance runs, for the next run of this program. */
    void remember(String instance, long generation, boolean exclusive) throws IOException {
        Files.writeString(file(instance, START), generation + " " + exclusive);
    }

    void ended(String instance) {
        for (var kind : List.of(PID, START, EXIT, CLEANUP, VARIABLES)) {
            try {
                Files.deleteIfExists(file(instance, kind));
            } catch (IOException left) {
                // The next run finds no process of that number, or another's.
            }
        }
    }
}
