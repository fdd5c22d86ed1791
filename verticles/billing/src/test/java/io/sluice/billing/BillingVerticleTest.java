package io.sluice.billing;

import static io.sluice.billing.Bills.WAIT;
import static io.sluice.billing.Bills.awaitEvents;
import static io.sluice.billing.Bills.covered;
import static io.sluice.billing.Bills.events;
import static io.sluice.billing.Bills.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class BillingVerticleTest {
    @TempDir
    private Path directory;

    private BillingRig rig;

    @BeforeEach
    void makesARig() {
        rig = new BillingRig(directory);
    }

    @AfterEach
    void closesIt() {
        rig.close();
    }

    @Test
    void billsAVmFromItsFirstObservationToTheStop() {
        rig.vm("db", 1, "ep-1", 4_000);
        rig.start();
        awaitEvents(rig, 4);
        rig.stop();

        var events = events(rig);
        var covered = covered(events, "ep-1");
        assertThat(value(events, "ep-1") - 4 * covered.toNanos() / 1e9).isBetween(-1.0, 1.0);
        assertThat(events.getLast().stopTime())
                .as("the rest of the window too")
                .isAfter(Instant.now().minusSeconds(10));
        var keys = new HashSet<String>();
        assertThat(events).allMatch(event -> keys.add(event.idempotencyKey()));
    }

    @Test
    void theWatchOnPodsDoesNotProveThatChangesOfNeonVmsAreReceived() {
        rig.vm("db", 1, "ep-1", 4_000);
        rig.start();
        awaitEvents(rig, 4);
        rig.watched("pod");
        await().atMost(WAIT)
                .until(() -> rig.meters.get("sluice.billing.missing").gauge().value() == 1);
        rig.vm("db", 2, "ep-1", 1_000);
        rig.watched("neonvm", "pod");

        await().atMost(WAIT)
                .until(() -> rig.lines("account").stream().anyMatch(line -> line.contains("\"unbilled\":\"watch\"")));
    }

    @Test
    void showsBesideEachBillWhatTheLedgerHeld() {
        rig.vm("db", 1, "ep-1", 2_000);
        rig.start();
        await().atMost(WAIT).until(() -> rig.lines("account").size() >= 3);

        assertThat(rig.lines("account"))
                .allMatch(line -> line.contains("\"vm\":\"default/db\"") && line.contains("\"uid\":\"uid-db\""))
                .anyMatch(line -> line.contains("\"held_milli_cpu_ns\""));
    }

    @Test
    void goesOnAfterAStopWithoutAGap() {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        rig.stop();
        int before = events(rig).size();
        rig.start();
        awaitEvents(rig, before + 4);
        rig.stop();

        var events = events(rig);
        assertThat(value(events, "ep-1") - covered(events, "ep-1").toNanos() / 1e9)
                .isBetween(-1.0, 1.0);
        assertThat(rig.lines("account")).noneMatch(line -> line.contains("unbilled"));
    }

    @Test
    void countsTheTimeOfARestartInWhichAVmChanged() {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        rig.stop();
        rig.vm("db", 2, "ep-1", 3_000);
        rig.start();

        await().atMost(WAIT)
                .until(() -> rig.lines("account").stream().anyMatch(line -> line.contains("\"unbilled\":\"restart\"")));
        assertThat(rig.meters
                        .get("sluice.billing.unbilled.seconds")
                        .tag("cause", "restart")
                        .counter()
                        .count())
                .isPositive();
    }

    @Test
    void billsNothingBeyondWhatWasObservedWhileChangesAreMissed() {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        rig.watching(false);
        await().atMost(WAIT)
                .until(() -> rig.meters.get("sluice.billing.missing").gauge().value() == 1);
        rig.vm("db", 2, "ep-1", 8_000);
        rig.watching(true);
        rig.vm("db", 3, "ep-1", 8_000);

        await().atMost(WAIT)
                .until(() -> rig.lines("account").stream().anyMatch(line -> line.contains("\"unbilled\":\"watch\"")));
    }

    @Test
    void cutsTheBillWhereTheEndpointChanges() {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        rig.vm("db", 2, "ep-2", 1_000);
        await().atMost(WAIT).until(() -> value(events(rig), "ep-2") > 0);
        rig.stop();

        var stops = new HashMap<String, Instant>();
        var starts = new HashMap<String, Instant>();
        for (var event : events(rig)) {
            stops.merge(event.endpointId(), event.stopTime(), (one, other) -> one.isAfter(other) ? one : other);
            starts.merge(event.endpointId(), event.startTime(), (one, other) -> one.isBefore(other) ? one : other);
        }
        assertThat(starts.get("ep-2")).isEqualTo(stops.get("ep-1"));
    }

    @Test
    void windowsGrowWhileTheOutboxIsFullAndNothingIsLost() throws Exception {
        var blocked = directory.resolve("bills");
        Files.writeString(blocked, "a file where a directory should be");
        rig.with("outbox.maxSize", "64KiB").with("accumulateEvery", "100ms");
        // So many that the first windows fill the outbox: pauses between attempts grow with its wait.
        int vms = 400;
        for (int vm = 0; vm < vms; vm++) {
            rig.vm("db-" + vm, 1, "ep-" + vm, 1_000);
        }
        rig.start();
        await().atMost(WAIT)
                .until(() -> rig.meters.get("sluice.billing.blocked").gauge().value() == 1);
        Files.delete(blocked);
        await().atMost(Duration.ofSeconds(90))
                .until(() -> rig.meters.get("sluice.billing.blocked").gauge().value() == 0);
        rig.stop();
        rig.start();
        rig.stop();

        var events = events(rig);
        for (int vm = 0; vm < vms; vm++) {
            var endpoint = "ep-" + vm;
            assertThat(value(events, endpoint) - covered(events, endpoint).toNanos() / 1e9)
                    .isBetween(-1.0, 1.0);
        }
    }

    @Test
    void refusesADirectoryThatAnotherProcessHas() {
        rig.start();
        var other = new BillingRig(directory);
        try {
            assertThatThrownBy(other::start)
                    .hasStackTraceContaining("billing.directory")
                    .hasStackTraceContaining("in use");
        } finally {
            other.close();
        }
    }
}
