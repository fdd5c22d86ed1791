package io.sluice.workers.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: guards keep to their clock. Method: real guards, with a clock that stands still and jumps. */
class GuardsTest {
    private static final long WITHIN_SECONDS = 60;
    private static final int KILLED = 137;
    private static final Startable SLEEP =
            (directory, instance) -> new Startable.Prepared(List.of("/bin/sleep", "1000"), Map.of(), "");

    @TempDir
    private Path directory;

    private Guards guards;
    private Guards.Guard exclusive;
    private Guards.Guard other;

    @BeforeEach
    void start() throws IOException {
        uptime("1000.00");
        guards = Guards.in(directory.resolve("guards"), Duration.ZERO, directory.resolve("uptime"));
        guards.extend(Duration.ofSeconds(1_045));
        exclusive = guards.start("a", 1, true, SLEEP, List.of());
        other = guards.start("b", 1, false, SLEEP, List.of());
    }

    @AfterEach
    void stop() {
        exclusive.process().destroyForcibly();
        other.process().destroy();
    }

    /** Guards read it at any moment. */
    private void uptime(String seconds) throws IOException {
        var next = Files.writeString(directory.resolve("next"), seconds + " 0.00\n");
        Files.move(
                next, directory.resolve("uptime"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void anExclusiveInstanceEndsWhenTheMachineWasSuspendedBeyondItsFence() throws Exception {
        assertThat(exclusive.process().isAlive()).isTrue();
        // As after a minute of sleep: no guard ran meanwhile, and the clock of the machine went on.
        uptime("1060.00");
        exclusive.exit().get(WITHIN_SECONDS, TimeUnit.SECONDS);
        assertThat(other.process().isAlive()).isTrue();
    }

    @Test
    void anInstanceTakesNoNameOfTheWorkersFiles() throws Exception {
        for (var name : List.of("lease", "lease.next", "guard.sh", "a.pid")) {
            Startable folder = (at, instance) -> new Startable.Prepared(
                    List.of("/bin/ls", Files.createDirectory(at).toString()), Map.of(), "");
            guards.start(name, 1, false, folder, List.of()).exit().get(WITHIN_SECONDS, TimeUnit.SECONDS);
        }
        guards.extend(Duration.ofSeconds(2_000));
        assertThat(guards.earlier()).extracting(Guards.Guard::instance).contains("a", "b");
    }

    @Test
    void anInstanceWithAPathOfItsOwnEndsAtItsFence() throws Exception {
        Startable elsewhere = (at, instance) ->
                new Startable.Prepared(List.of("/bin/sleep", "2000"), Map.of("PATH", "/nonexistent"), "");
        var guard = guards.start("e", 1, true, elsewhere, List.of());
        try {
            await().atMost(WITHIN_SECONDS, TimeUnit.SECONDS)
                    .until(() -> !guard.process().isAlive()
                            || guard.process()
                                    .descendants()
                                    .anyMatch(child -> child.info()
                                            .commandLine()
                                            .orElse("")
                                            .endsWith("sleep 2000")));
            uptime("1060.00");
        } finally {
            assertKilled(guard);
        }
    }

    @Test
    void variablesReachTheInstanceAsTheyAreAndNoGuard() throws Exception {
        var file = directory.resolve("value");
        var value = "it's \"a\\b\" $HOME `id` \u00e9\u0083\n * 'second line'\n";
        Startable writes = (at, instance) -> new Startable.Prepared(
                List.of(
                        "/bin/sh",
                        "-c",
                        "printf %s \"$VALUE\" > \"$0.next\"; mv \"$0.next\" \"$0\"; exec sleep 1000",
                        file.toString()),
                Map.of("VALUE", value, "setsid", "/nonexistent", "IFS", "/"),
                "");
        var guard = guards.start("v", 1, false, writes, List.of());
        try {
            await().atMost(WITHIN_SECONDS, TimeUnit.SECONDS).until(() -> Files.exists(file));
            assertThat(Files.readString(file)).isEqualTo(value);
            assertThat(Files.readString(Path.of("/proc/" + guard.process().pid() + "/environ")))
                    .isEqualTo("PATH=" + System.getenv("PATH") + "\0");
            var kept = directory.resolve("guards/v.variables");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                    .isEqualTo("rw-------");
            guards.ended("v");
            assertThat(kept).doesNotExist();
        } finally {
            guard.process().destroy();
        }
    }

    @Test
    void aStartThatFailsLeavesNoVariables() {
        Startable unfit =
                (at, instance) -> new Startable.Prepared(List.of("/bin/sleep", "\0"), Map.of("PASSWORD", "hidden"), "");
        assertThatThrownBy(() -> guards.start("f", 1, false, unfit, List.of())).isInstanceOf(IOException.class);
        assertThat(directory.resolve("guards/f.variables")).doesNotExist();
    }

    /** Starts an exclusive instance that heeds no signal, and has a grace. */
    private Guards.Guard startDeaf() throws IOException {
        var runs = directory.resolve("runs");
        Startable deaf = (at, instance) -> new Startable.Prepared(
                List.of("/bin/sh", "-c", "trap '' TERM; touch \"$0\"; exec sleep 1000", runs.toString()), Map.of(), "");
        var patient = Guards.in(directory.resolve("patient"), Duration.ofSeconds(10), directory.resolve("uptime"));
        patient.extend(Duration.ofSeconds(1_045));
        var guard = patient.start("d", 1, true, deaf, List.of());
        await().atMost(WITHIN_SECONDS, TimeUnit.SECONDS).until(() -> Files.exists(runs));
        return guard;
    }

    /** The clock stands still, so that a grace from now on would never end. */
    private static void assertKilled(Guards.Guard guard) throws Exception {
        try {
            assertThat(guard.exit().get(WITHIN_SECONDS, TimeUnit.SECONDS)).isEqualTo(KILLED);
        } finally {
            guard.process().destroyForcibly();
        }
    }

    private static void signal(Guards.Guard guard, String signal) throws Exception {
        var pid = Long.toString(guard.process().pid());
        assertThat(new ProcessBuilder("kill", "-" + signal, pid).start().waitFor())
                .isZero();
    }

    @Test
    void graceCountsFromTheFence() throws Exception {
        var guard = startDeaf();
        uptime("1055.00");
        assertKilled(guard);
    }

    @Test
    void aSignalBeforeTheGuardsNextLookBringsNoOtherGrace() throws Exception {
        var guard = startDeaf();
        signal(guard, "STOP");
        uptime("1055.00");
        signal(guard, "TERM");
        signal(guard, "CONT");
        assertKilled(guard);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "soon", "-1", "104500 0", "0x1fffff", "99999999999999999999"})
    void aBrokenLeaseEndsTheInstanceAtOnce(String lease) throws Exception {
        var guard = startDeaf();
        var file = directory.resolve("patient/lease");
        if (lease == null) {
            Files.delete(file);
        } else {
            var next = Files.writeString(directory.resolve("next"), lease + "\n");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        assertKilled(guard);
    }

    @Test
    void itRunsOnAfterASleepThatEndsBeforeItsFence() throws Exception {
        uptime("1044.00");
        // A guard that was started later, and whose fence is over, ends in the meantime.
        guards.extend(Duration.ofSeconds(1_045));
        var late = Guards.in(directory.resolve("late"), Duration.ZERO, directory.resolve("uptime"));
        late.extend(Duration.ofSeconds(1_043));
        late.start("c", 1, true, SLEEP, List.of()).exit().get(WITHIN_SECONDS, TimeUnit.SECONDS);
        assertThat(exclusive.process().isAlive()).isTrue();
    }
}
