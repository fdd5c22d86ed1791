package io.sluice.cluster.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cluster.roles.OnlyWithFaults;
import io.sluice.cluster.roles.ProcessFault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: whatever dies or stands still, nothing that runs on workers is stopped for it, and no exclusive instance runs
 * twice. Method: a scheduler with its store in a file and three workers are real processes.
 */
@OnlyWithFaults
class WorkersUnderKillTest {
    private static final Duration STILL = Duration.ofSeconds(15);
    private static final String SCHEDULER = "scheduler";

    @TempDir
    private Path directory;

    private WorkerProcesses fleet;

    @BeforeEach
    void start() throws IOException {
        fleet = new WorkerProcesses(directory, directory.resolve("store").toString(), SCHEDULER);
        fleet.start();
    }

    @AfterEach
    void stop() throws Exception {
        fleet.close();
    }

    @Test
    @DisplayName("a scheduler that is killed, and one that stands still, stop nothing that runs")
    void scheduler() throws Exception {
        var before = fleet.plain();
        fleet.kill(SCHEDULER);
        fleet.startScheduler(SCHEDULER);
        fleet.awaitAll();
        assertThat(fleet.plain()).isEqualTo(before);

        fleet.pause(SCHEDULER);
        ProcessFault.last(STILL);
        assertThat(fleet.plain()).isEqualTo(before);
        fleet.goOn(SCHEDULER);
        fleet.awaitAll();
        assertThat(fleet.plain()).isEqualTo(before);
        fleet.noExclusiveRanTwice();
    }

    @Test
    @DisplayName("what a worker that stands still had runs elsewhere; once it is back, all run once")
    void worker() {
        var busiest = WorkerProcesses.WORKERS.stream()
                .filter(id -> fleet.command("instances", "list").contains(" " + id + " "))
                .findFirst()
                .orElseThrow();
        fleet.pause(busiest);
        WorkerProcesses.withCommands()
                .until(() -> fleet.command("instances", "list")
                                .lines()
                                .filter(line -> line.contains(" RUNNING ") && !line.contains(" " + busiest + " "))
                                .count()
                        == WorkerProcesses.INSTANCES);
        fleet.goOn(busiest);
        fleet.awaitAll();
        fleet.noExclusiveRanTwice();
    }

    @Test
    @DisplayName("a drain goes on over the kill of the scheduler, and all run on other workers")
    void drain() throws Exception {
        assertThat(fleet.command("workers", "drain", "w1")).contains("w1");
        fleet.kill(SCHEDULER);
        fleet.startScheduler(SCHEDULER);
        WorkerProcesses.withCommands()
                .until(() -> fleet.command("workers", "list").lines().anyMatch(line -> line.matches("w1 +DRAINED .*")));
        fleet.awaitAll();
        assertThat(fleet.command("instances", "list")).doesNotContain(" w1 ");
        assertThat(IntStream.range(0, WorkerProcesses.INSTANCES)).allMatch(fleet.running()::containsKey);
        fleet.noExclusiveRanTwice();
    }
}
