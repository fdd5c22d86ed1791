package io.sluice.pods.node;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A control group of the kernel, version 2, for one test; where there can be none, the test is skipped. */
final class TestGroup implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofSeconds(60);

    final Path directory;
    private final List<Process> started = new ArrayList<>();

    private TestGroup(Path directory) {
        this.directory = directory;
    }

    static TestGroup make() throws IOException {
        var root = Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .map(line -> line.split(" "))
                .filter(mount -> mount[2].equals("cgroup2"))
                .map(mount -> Path.of(mount[1]))
                .findFirst();
        assumeTrue(root.isPresent(), "no control groups of version 2 are mounted");
        assumeTrue(Files.isWritable(root.get()), "control groups may not be made");
        assumeTrue(Files.exists(Path.of("/proc/pressure/cpu")), "this kernel has no pressure stall information");
        var name = "sluice-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        return new TestGroup(Files.createDirectory(root.get().resolve(name)));
    }

    /** More processes than CPUs, which are always busy. */
    void work() throws IOException {
        int count = 2 * Runtime.getRuntime().availableProcessors();
        for (int each = 0; each < count; each++) {
            started.add(new ProcessBuilder(
                            "/bin/sh",
                            "-c",
                            "echo $$ > \"$0/cgroup.procs\"; while true; do :; done",
                            directory.toString())
                    .start());
        }
    }

    /** Ends its processes, and removes it. */
    @Override
    public void close() throws IOException {
        started.forEach(Process::destroyForcibly);
        if (Files.exists(directory)) {
            await().atMost(WITHIN)
                    .until(() ->
                            Files.readString(directory.resolve("cgroup.procs")).isEmpty());
            Files.delete(directory);
        }
    }
}
