package io.sluice.kube.pods;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The control groups of pods, as a tree of files in the form that a kubelet makes. Where the kernel has control groups
 * of version 2, use and pressure of CPU are those of a real group, which all pods of the tree share. Memory and limits
 * are files that a test writes, as the kernel may have no memory controller.
 */
final class NodeTree implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofSeconds(60);

    final Path root;
    private final Optional<Path> real;
    private final List<Process> workers = new ArrayList<>();

    NodeTree(Path root) throws IOException {
        this.root = root;
        var mounted = Files.readAllLines(Path.of("/proc/self/mounts")).stream()
                .map(line -> line.split(" "))
                .filter(mount -> mount[2].equals("cgroup2"))
                .map(mount -> Path.of(mount[1]))
                .findFirst();
        boolean usable = mounted.filter(Files::isWritable).isPresent() && Files.exists(Path.of("/proc/pressure/cpu"));
        real = usable
                ? Optional.of(Files.createDirectory(mounted.get()
                        .resolve("sluice-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime())))
                : Optional.empty();
    }

    /** Whether pods of the tree can wait for CPU. */
    boolean hasPressure() {
        return real.isPresent();
    }

    /** Makes the group of a pod with one container, which has the pod's name in place of an id. */
    void make(String uid, String name, String limits, long memoryBytes) throws IOException {
        var container = Files.createDirectories(pod(uid).resolve(name));
        var each = limits.split("/");
        Files.writeString(container.resolve("cpu.max"), each[0] + "\n");
        Files.writeString(container.resolve("memory.max"), each[1] + "\n");
        Files.writeString(container.resolve("memory.current"), memoryBytes + "\n");
        Files.writeString(container.resolve("memory.stat"), "anon 0\ninactive_file 0\n");
        Files.writeString(pod(uid).resolve("memory.events"), "high 0\nmax 0\noom_kill 0\n");
        for (var file : List.of("cpu.stat", "cpu.pressure")) {
            if (real.isPresent()) {
                Files.createSymbolicLink(container.resolve(file), real.get().resolve(file));
            } else {
                Files.writeString(container.resolve(file), "usage_usec 0\n");
            }
        }
        if (real.isPresent()) {
            for (var file : List.of("cpu.pressure", "memory.pressure")) {
                Files.createSymbolicLink(pod(uid).resolve(file), real.get().resolve(file));
            }
        }
    }

    private Path pod(String uid) {
        return root.resolve("kubepods/burstable/pod" + uid);
    }

    /** What the kernel does when the memory of a pod reaches its limit. */
    void reachMemoryLimit(String uid, int times) throws IOException {
        Files.writeString(pod(uid).resolve("memory.events"), "high 0\nmax " + times + "\noom_kill 0\n");
    }

    /** What the kernel does when it kills a process of a pod for want of memory. */
    void kill(String uid, int times) throws IOException {
        Files.writeString(pod(uid).resolve("memory.events"), "high 0\nmax 1\noom_kill " + times + "\n");
    }

    /** Begins work for more CPUs than there are, however urgent the test itself is. */
    void work() throws IOException {
        int count = 2 * Runtime.getRuntime().availableProcessors();
        for (int each = 0; each < count; each++) {
            workers.add(new ProcessBuilder(
                            "/bin/sh",
                            "-c",
                            "echo $$ > \"$0/cgroup.procs\"; renice -n 0 $$ > /dev/null; while true; do :; done",
                            real.orElseThrow().toString())
                    .start());
        }
    }

    /** Ends all work. */
    void rest() {
        workers.forEach(Process::destroyForcibly);
        workers.clear();
    }

    @Override
    public void close() throws IOException {
        rest();
        if (real.isPresent()) {
            await().atMost(WITHIN)
                    .until(() ->
                            Files.readString(real.get().resolve("cgroup.procs")).isEmpty());
            Files.delete(real.get());
        }
    }
}
