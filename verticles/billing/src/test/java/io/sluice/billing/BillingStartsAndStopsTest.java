package io.sluice.billing;

import static io.sluice.billing.Bills.WAIT;
import static io.sluice.billing.Bills.awaitEvents;
import static io.sluice.billing.Bills.covered;
import static io.sluice.billing.Bills.events;
import static io.sluice.billing.Bills.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import io.sluice.billing.outbox.OutboxWrite;
import io.sluice.bus.ClusterAddresses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Failures while a billing process starts, stops, or receives nothing. */
@Execution(ExecutionMode.CONCURRENT)
class BillingStartsAndStopsTest {
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
    void aFullListOfWhichOnlyTheEndArrivedCostsNothing() {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        rig.stop();
        int before = events(rig).size();
        rig.sendsFullListEndsAlone(1);
        rig.start();
        awaitEvents(rig, before + 4);
        rig.stop();

        assertThat(rig.lines("account")).noneMatch(line -> line.contains("unbilled"));
        assertThat(value(events(rig), "ep-1") - covered(events(rig), "ep-1").toNanos() / 1e9)
                .isBetween(-1.0, 1.0);
    }

    @Test
    void whatTheBusLostInASilenceIsRequested() {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        rig.watching(false);
        await().atMost(WAIT)
                .until(() -> rig.meters.get("sluice.billing.missing").gauge().value() == 1);
        rig.vm("db", 2, "ep-1", 8_000);
        rig.watching(true);

        await().atMost(WAIT)
                .until(() -> rig.lines("account").stream().anyMatch(line -> line.contains("\"unbilled\":\"watch\"")));
        await().atMost(WAIT)
                .until(() -> events(rig).stream()
                        .anyMatch(event -> event.metric().startsWith("effective") && event.value() == 8));
    }

    @Test
    void whatManyWindowsLeftIsBilledByTheStopThoughEachIsAnOffer() {
        rig.with("collectEvery", "1s");
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        rig.watching(false);
        await().atMost(WAIT)
                .until(() -> rig.meters.get("sluice.billing.missing").gauge().value() == 1);
        rig.watching(true);
        await().atMost(WAIT)
                .until(() -> rig.meters.get("sluice.billing.missing").gauge().value() == 0);
        var now = rig.shell.clock().instant();
        rig.stop();

        var billed = events(rig);
        assertThat(billed.getLast().stopTime()).isAfterOrEqualTo(now);
        assertThat(covered(billed, "ep-1"))
                .as("no window is left out, none is there twice")
                .isEqualTo(Duration.between(
                        billed.getFirst().startTime(), billed.getLast().stopTime()));
    }

    @Test
    void aVmThatEndedWithoutAReportIsNotCountedForEver() {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        await().atMost(WAIT).until(() -> current() == 1);
        rig.loses("db");
        rig.lists();
        rig.lists();
        rig.lists();

        await().atMost(WAIT).until(() -> current() == 0);
    }

    private double current() {
        return rig.meters.find("autoscaling.agent.billing.vms.current").gauges().stream()
                .mapToDouble(Gauge::value)
                .sum();
    }

    @Test
    void anUnreadableCheckpointIsNamedAndTheOutboxIsLeftAlone() throws IOException {
        var garbage = "{\"format\":2}".getBytes(StandardCharsets.UTF_8);
        var clock = "{\"format\":2,\"bill\":\"2026-03-01T00:00:00Z\",\"machineNanos\":1,\"boot\":\"b\"}";
        try (var outbox = rig.outbox()) {
            var checkpoints =
                    Map.of("exact/clock", clock.getBytes(StandardCharsets.UTF_8), "exact/meter/uid-1", garbage);
            outbox.accept(
                    new OutboxWrite("meters", 1, Map.of(), checkpoints),
                    rig.shell.clock().instant());
        }

        assertThatThrownBy(rig::start).hasStackTraceContaining("exact/meter/uid-1");
        try (var outbox = rig.outbox()) {
            assertThat(outbox.checkpoints("exact/meter/")).containsOnlyKeys("exact/meter/uid-1");
        }
    }

    /** In a Hazelcast cluster a subscription may stay unconfirmed. A second start in the same process must succeed. */
    @Test
    void aStartThatFailedLeavesEverythingToTheNext() {
        rig.vm("db", 1, "ep-1", 1_000);
        var deaf = new DeafBus(new BillingVerticle(rig.config(), rig.shell), ClusterAddresses.VMS_WATCHED.name());
        var before = rig.gauges();
        assertThatThrownBy(() -> BillingRig.done(rig.vertx.deployVerticle(deaf)))
                .hasStackTraceContaining("unconfirmed: " + ClusterAddresses.VMS_WATCHED.name());

        assertThat(rig.gauges()).isEqualTo(before);
        assertThat(rig.shell.readiness().reasons()).isEmpty();
        assertThat(rig.shell.dumps().parts()).isEmpty();
        rig.start();
        awaitEvents(rig, 2);
    }

    @Test
    void aStartThatFailedBeforeItListenedDoesSoToo() throws IOException {
        var other = rig.outbox();
        assertThatThrownBy(rig::start).hasStackTraceContaining("is in use by another process");
        assertThat(rig.shell.readiness().reasons()).isEmpty();

        other.close();
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
    }

    /**
     * The ledger is requested once more at the stop. The time that this takes must not be lost from the billing clock.
     */
    @Test
    void theClockIsWrittenDownAsItStandsHoweverLongTheStopTakes() throws IOException {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        rig.ledgerTakes(Duration.ofMillis(1_500));
        rig.stop();

        var machine = new MachineClock();
        try (var outbox = rig.outbox()) {
            var kept = UsageCheckpoint.read(outbox.checkpoints(UsageCheckpoint.PREFIX))
                    .clock();
            var now = rig.shell.clock().instant();
            var next = new BillingClock(rig.shell.clock(), machine.read(rig.shell.clock()), kept);
            assertThat(Duration.between(now, next.instant())).isBetween(Duration.ofSeconds(-1), Duration.ofSeconds(1));
        }
    }

    @Test
    void metersAreKeptWhereNoBillsAreSentYet() {
        rig.with("file.directory", "");
        rig.vm("db", 1, "ep-1", 1_000);
        var begun = rig.shell.clock().instant();
        rig.start();
        await().atMost(WAIT)
                .until(() -> rig.meters.get("sluice.billing.records").counter().count() >= 2);
        rig.stop();
        var ended = rig.shell.clock().instant();
        assertThat(rig.requested())
                .as("requests to the ledger without a sink for account lines")
                .isZero();
        rig.with("file.directory", directory.resolve("bills").toString());
        rig.start();
        awaitEvents(rig, 2);
        rig.stop();

        assertThat(events(rig).getFirst().startTime()).isBetween(begun, ended);
    }
}
