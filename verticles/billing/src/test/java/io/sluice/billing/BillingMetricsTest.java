package io.sluice.billing;

import static io.sluice.billing.Bills.WAIT;
import static io.sluice.billing.Bills.awaitEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Meter;
import io.sluice.billing.outbox.OutboxWrite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A registry outlives the verticle; its gauges show the state of the verticle that runs now. */
class BillingMetricsTest {
    private static final String FILE_BYTES = "sluice.billing.outbox.file.bytes";

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

    private double gauge(String name) {
        return rig.meters.get(name).gauge().value();
    }

    /** The names with tags of all gauges and function counters. */
    private Set<String> status() {
        var names = new TreeSet<String>();
        rig.meters.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getType() == Meter.Type.GAUGE
                        || id.getName().endsWith("lost.events")
                        || id.getName().endsWith("quarantined"))
                .forEach(id -> names.add(id.getName() + id.getTags()));
        return names;
    }

    @Test
    void gaugesGoWithTheVerticleAndComeWithTheNext() {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        var first = status();
        assertThat(first)
                .contains(FILE_BYTES + "[]", "sluice.billing.outbox.usable[]", "sluice.billing.blocked[]")
                .anyMatch(name -> name.startsWith("sluice.billing.outbox.lost.events") && name.contains("account/file"))
                .anyMatch(name -> name.startsWith("autoscaling.agent.billing.vms.current"));
        double charges = rig.meters.get("sluice.billing.records").counter().count();
        rig.stop();
        assertThat(status()).isEmpty();
        assertThat(rig.meters.get("sluice.billing.records").counter().count())
                .as("counters stay")
                .isGreaterThanOrEqualTo(charges);

        rig.start();
        await().atMost(WAIT).until(() -> status().equals(first));
    }

    @Test
    void showsHowTheVerticleThatRunsNowStands() throws IOException {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();
        awaitEvents(rig, 2);
        rig.stop();
        rig.with("file.directory", directory.resolve("none").toString());
        Files.writeString(directory.resolve("none"), "a file where a directory should be");
        rig.vm("web", 1, "ep-2", 1_000);
        rig.start();

        await().atMost(WAIT).until(() -> gauge("sluice.billing.vms.metered") == 2);
        await().atMost(WAIT).until(() -> waiting() >= 2);
        assertThat(gauge("sluice.billing.missing")).isZero();
    }

    /** The machine was started again, and its wall clock was set back by 40 s before that. */
    @Test
    void showsHowFarTheClockOfBillsIsFromTheWallClock() throws IOException {
        try (var outbox = rig.outbox()) {
            var reading = new BillingClock.Reading(rig.shell.clock().instant().plusSeconds(40), 1, "another boot");
            var clock = UsageCheckpoint.write(reading, Optional.empty(), Optional.empty(), Map.of());
            outbox.accept(
                    new OutboxWrite("meters", 1, Map.of(), clock),
                    rig.shell.clock().instant());
        }
        rig.start();

        assertThat(gauge("sluice.billing.clock.ahead")).isBetween(30.0, 41.0);
        assertThat(rig.shell.readiness().troubles().toString()).contains("ahead of the wall clock");
    }

    private double waiting() {
        return rig.meters
                .get("autoscaling_agent_billing_queue_size")
                .tag("client", "file")
                .gauge()
                .value();
    }

    @Test
    void reportsHowLongTheOutboxsFileIs() {
        rig.vm("db", 1, "ep-1", 1_000);
        rig.start();

        await().atMost(WAIT).until(() -> gauge(FILE_BYTES) == fileBytes() && gauge(FILE_BYTES) > 0);
        assertThat(rig.meters.get(FILE_BYTES).gauge().getId().getBaseUnit()).isEqualTo("bytes");
    }

    private long fileBytes() throws IOException {
        return Files.size(directory.resolve("outbox").resolve("outbox-1.db"));
    }

    @Test
    void aStartThatFailsLeavesNoGauges() throws Exception {
        try (var outbox = rig.outbox()) {
            outbox.accept(
                    new OutboxWrite("meters", 1, Map.of(), Map.of("exact/clock", new byte[] {'?'})),
                    rig.shell.clock().instant());
        }

        assertThatThrownBy(rig::start).hasStackTraceContaining("exact/clock");
        assertThat(status()).isEmpty();
    }
}
