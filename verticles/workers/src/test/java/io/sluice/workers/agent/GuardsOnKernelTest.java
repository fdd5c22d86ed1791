package io.sluice.workers.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: no process of an exclusive instance is left after its fence, whatever session it is in and however long all of
 * them stood still. Method: real guards in the kernel's own control groups and time namespaces, which need root; where
 * there are none, the tests are skipped.
 */
class GuardsOnKernelTest {
    private static final Duration WITHIN = Duration.ofSeconds(60);
    private static final Duration FAR = Duration.ofHours(1);
    private static final int KILLED = 137;

    /** A daemon in a session of its own, and the instance's process, which ends in order on SIGTERM. */
    private static final String COMMAND = """
        setsid sleep 1000 &
        echo $! > "$0/daemon.next" && mv "$0/daemon.next" "$0/daemon"
        trap 'touch "$0/ended-in-order"; exit 0' TERM
        while true; do sleep 0.05; done
        """;

    @TempDir
    private Path directory;

    private final List<Path> made = new ArrayList<>();
    private final List<ProcessHandle> started = new ArrayList<>();
    private Optional<Path> mounted = Optional.empty();

    @AfterEach
    void remove() throws Exception {
        for (var group : made) {
            if (Files.exists(group.resolve("cgroup.freeze"))) {
                Files.writeString(group.resolve("cgroup.freeze"), "0");
            }
        }
        started.forEach(ProcessHandle::destroyForcibly);
        for (var group : made) {
            for (var pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
            await().atMost(WITHIN)
                    .until(() -> Files.readString(group.resolve("cgroup.procs")).isEmpty());
            Files.delete(group);
        }
        if (mounted.isPresent()) {
            run("umount", mounted.get().toString());
        }
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** Where the hierarchy of version 2 is, or one of version 1; version 2 is mounted if it is not yet. */
    private Path hierarchy(String version) throws Exception {
        for (var line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
            var mount = line.split(" ");
            boolean fits = version.equals("2")
                    ? mount[2].equals("cgroup2")
                    : mount[2].equals("cgroup") && mount[3].endsWith("pids");
            if (fits) {
                return Path.of(mount[1]);
            }
        }
        assumeTrue(version.equals("2"), "there are no control groups of version 1");
        var at = Files.createDirectory(directory.resolve("cgroup2"));
        assumeTrue(run("mount", "-t", "cgroup2", "none", at.toString()) == 0, "cgroup2 cannot be mounted");
        mounted = Optional.of(at);
        return at;
    }

    private Path group(String version) throws Exception {
        var hierarchy = hierarchy(version);
        assumeTrue(Files.isWritable(hierarchy), "control groups may not be made");
        var group = hierarchy.resolve("sluice-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        assumeTrue(run("mkdir", group.toString()) == 0, "control groups may not be made");
        made.add(group);
        return group;
    }

    private Guards guards(Duration grace) throws IOException {
        var guards = Guards.in(directory.resolve("guards"), grace, BootClock.UPTIME);
        guards.extend(BootClock.now().plus(FAR));
        return guards;
    }

    private Guards.Guard start(Guards guards, List<Path> groups) throws IOException {
        Startable command = (at, instance) ->
                new Startable.Prepared(List.of("/bin/sh", "-c", COMMAND, directory.toString()), Map.of(), "");
        var guard = guards.start("a", 1, true, command, groups);
        started.add(guard.process());
        return guard;
    }

    private ProcessHandle daemon() throws IOException {
        var pid = directory.resolve("daemon");
        await().atMost(WITHIN).until(() -> Files.exists(pid));
        return ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
    }

    /** It counts as alive until its new parent has taken note of its end. */
    private static void ended(ProcessHandle process) throws Exception {
        process.onExit().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2"})
    void whatHasLeftTheSessionEndsAtTheFence(String version) throws Exception {
        var guards = guards(FAR);
        var guard = start(guards, List.of(group(version)));
        var daemon = daemon();
        assertThat(daemon.isAlive()).isTrue();

        guards.extend(BootClock.now());

        guard.exit().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
        // The instance's own process had the grace; what it left behind has none.
        assertThat(directory.resolve("ended-in-order")).exists();
        assertThat(made.getFirst().resolve("cgroup.procs")).isEmptyFile();
        ended(daemon);
    }

    @Test
    void whatHasLeftTheSessionOfAKilledGuardEndsWithItsGroup() throws Exception {
        var hierarchy = hierarchy("2");
        var groups = ControlGroups.below(hierarchy, directory);
        var own = groups.limit("a", new Resources(1_000, 1L << 30));
        assumeTrue(!own.isEmpty(), "control groups may not be made");
        made.addAll(own);
        var guard = start(guards(FAR), own);
        var daemon = daemon();

        guard.process().destroyForcibly();
        guard.exit().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
        assertThat(daemon.isAlive()).isTrue();

        groups.remove("a");
        ended(daemon);
        made.removeIf(group -> !Files.exists(group));
    }

    /** As a suspended machine: guard and instance stand still, and the clock goes on. */
    @Test
    void anInstanceThatStoodStillBeyondItsFenceIsKilledAtOnce() throws Exception {
        var guards = guards(Duration.ZERO);
        var group = group("2");
        var ofGuard = group("2");
        var guard = start(guards, List.of(group));
        var daemon = daemon();
        Files.writeString(
                ofGuard.resolve("cgroup.procs"), Long.toString(guard.process().pid()));
        for (var each : made) {
            Files.writeString(each.resolve("cgroup.freeze"), "1");
            await().atMost(WITHIN)
                    .until(() -> Files.readString(each.resolve("cgroup.events")).contains("frozen 1"));
        }

        var fence = BootClock.now();
        guards.extend(fence);
        await().atMost(WITHIN).until(() -> BootClock.now().compareTo(fence) > 0);
        assertThat(guard.process().isAlive()).isTrue();
        assertThat(daemon.isAlive()).isTrue();

        for (var each : made) {
            Files.writeString(each.resolve("cgroup.freeze"), "0");
        }

        assertThat(guard.exit().get(WITHIN.toSeconds(), TimeUnit.SECONDS)).isEqualTo(KILLED);
        assertThat(group.resolve("cgroup.procs")).isEmptyFile();
        assertThat(directory.resolve("ended-in-order")).doesNotExist();
        ended(daemon);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3_000})
    void theClockOfGuardsIsTheOneThatGoesOnDuringSuspension(long aheadSeconds) throws Exception {
        var ahead = Long.toString(aheadSeconds);
        assumeTrue(run("unshare", "--time", "--boottime", ahead, "true") == 0, "there are no time namespaces");
        var guards = guards(Duration.ZERO);
        guards.extend(BootClock.now().plusSeconds(1_500));
        // As after a suspension of that time: CLOCK_BOOTTIME of the namespace is ahead, CLOCK_MONOTONIC is the same.
        var process = new ProcessBuilder(
                        "unshare",
                        "--fork",
                        "--kill-child",
                        "--time",
                        "--boottime",
                        ahead,
                        "/bin/sh",
                        directory.resolve("guards/guard.sh").toString(),
                        BootClock.UPTIME.toString(),
                        directory.resolve("guards/lease").toString(),
                        "0",
                        "-",
                        directory.resolve("exit").toString(),
                        "-",
                        "-",
                        "/bin/sh",
                        "-c",
                        "touch \"$0/runs\"; exec sleep 1000",
                        directory.toString())
                .start();
        started.add(process.toHandle());
        if (aheadSeconds > 0) {
            assertThat(process.waitFor(WITHIN.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(directory.resolve("exit")).hasContent(Integer.toString(KILLED));
        } else {
            await().atMost(WITHIN).until(() -> Files.exists(directory.resolve("runs")));
            assertThat(process.isAlive()).isTrue();
        }
    }
}
