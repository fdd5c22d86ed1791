package io.sluice.cluster.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cluster.roles.OnlyWithFaults;
import io.sluice.cluster.roles.ProcessFault;
import io.sluice.shell.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: of two schedulers with one database, each goes on when the other dies or stands still; nothing that runs is
 * stopped for it, and no exclusive instance runs twice. Method: two schedulers, three workers and a PostgreSQL are real
 * processes.
 */
@OnlyWithFaults
class WorkersOfSeveralSchedulersTest {
    /**
     * Longer than a term and the window of recovery, after which the one that stands still may no longer acknowledge.
     */
    private static final Duration STILL = Duration.ofSeconds(25);

    @TempDir
    private Path directory;

    private PostgresServer database;
    private WorkerProcesses fleet;

    @BeforeEach
    void start() throws Exception {
        database = PostgresServer.start();
        fleet = new WorkerProcesses(directory, database.url(), "one", "other");
        fleet.start();
    }

    @AfterEach
    void stop() throws Exception {
        if (fleet != null) {
            fleet.close();
        }
        if (database != null) {
            database.close();
        }
    }

    @Test
    @DisplayName("the other scheduler goes on when the one that leads is killed, and when it stands still")
    void leaders() throws Exception {
        var before = fleet.plain();
        var first = fleet.leader();
        fleet.kill(first);
        var second = fleet.leader();
        assertThat(second).isNotEqualTo(first);
        fleet.awaitAll();
        assertThat(fleet.plain()).isEqualTo(before);

        fleet.startScheduler(first);
        fleet.pause(second);
        assertThat(fleet.leader()).isEqualTo(first);
        ProcessFault.last(STILL);
        fleet.awaitAll();
        assertThat(fleet.plain()).isEqualTo(before);

        fleet.goOn(second);
        ProcessFault.last(STILL);
        assertThat(fleet.leader()).isEqualTo(first);
        fleet.awaitAll();
        assertThat(fleet.plain()).isEqualTo(before);
        fleet.noExclusiveRanTwice();
    }
}
