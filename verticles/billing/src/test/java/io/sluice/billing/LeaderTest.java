package io.sluice.billing;

import static io.sluice.billing.Bills.WAIT;
import static io.sluice.billing.Bills.covered;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.billing.wire.UsageEvent;
import io.sluice.shell.FakePeers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two processes on one bus, each with its own outbox: the older one bills until it ends, then the other. */
@Execution(ExecutionMode.CONCURRENT)
class LeaderTest {
    private final FakePeers one = new FakePeers("one", "billing");
    private final FakePeers two = new FakePeers("two", "billing");
    private final SimpleMeterRegistry metersOfTwo = new SimpleMeterRegistry();

    @TempDir
    private Path ones;

    @TempDir
    private Path twos;

    private BillingRig started() {
        one.observes(two.self());
        two.observes(one.self());
        var rig = new BillingRig(ones, one);
        // As if a leader had been there, so that nobody waits for the disks of others.
        rig.replica.entries.put("checkpoint/nobody/exact/clock", """
            {"format":2,"bill":"2020-01-01T00:00:00Z","machineNanos":1,"boot":"b"}\
            """.getBytes(UTF_8));
        rig.vm("db-1", 1, "ep-1", 1_000);
        rig.vm("db-2", 2, "ep-2", 2_500);
        rig.start();
        rig.startBeside(twos, metersOfTwo, two);
        return rig;
    }

    @Test
    void theNextLeaderGoesOnWhereTheLastCheckpointEnds() {
        try (var rig = started()) {
            await().atMost(WAIT).until(() -> covered(ofOne(), "ep-1").compareTo(Duration.ofSeconds(4)) > 0);
            assertThat(ofTwo()).as("bills of a process that does not lead").isEmpty();
            assertThat(leads(metersOfTwo)).isZero();
            await().atMost(WAIT)
                    .until(() -> rig.replica.entries.keySet().stream()
                            .anyMatch(key -> key.startsWith("checkpoint/one.1/exact/meter/")));

            rig.stop();
            two.observes();
            await().atMost(WAIT).until(() -> covered(ofTwo(), "ep-2").compareTo(Duration.ofSeconds(3)) > 0);
            assertThat(leads(metersOfTwo)).isEqualTo(1);
            await().atMost(WAIT)
                    .untilAsserted(() -> assertThat(rig.replica.entries.keySet())
                            .as("copies of the last leader")
                            .noneMatch(key -> key.startsWith("checkpoint/one.") || key.startsWith("window/one.")));
        }

        var events = List.copyOf(kept().values());
        assertThat(List.of("ep-1", "ep-2"))
                .allSatisfy(endpoint -> assertThat(covered(events, endpoint)).isGreaterThan(Duration.ofSeconds(7)));
        assertThat(BillingRig.lines(twos, "account")).noneMatch(line -> line.contains("unbilled"));
    }

    @Test
    void windowsThatNoSinkConfirmedGoToTheNextLeader() {
        try (var rig = started()) {
            await().atMost(WAIT).until(() -> ofOne().size() > 4);
            var lost = ofOne().getFirst();
            var line = BillingRig.lines(ones, "usage").getFirst();
            rig.replica.entries.put("window/zero/0000000000000001", gzip("later " + line + "\n"));
            rig.replica.entries.put("window/zero/0000000000000002", gzip("billing " + line + "\n"));

            rig.stop();
            two.observes();
            await().atMost(WAIT)
                    .until(() -> ofTwo().stream()
                            .anyMatch(event -> event.idempotencyKey().equals(lost.idempotencyKey())));
            await().atMost(WAIT).until(() -> !rig.replica.entries.containsKey("window/zero/0000000000000002"));
            assertThat(rig.replica.entries)
                    .as("a window of a kind of events that this version does not have")
                    .containsKey("window/zero/0000000000000001");
        }
    }

    @Test
    void copiesThatCannotBeMadeAreReportedAndBillsGoOn() {
        try (var rig = started()) {
            await().atMost(WAIT).until(() -> ofOne().size() > 4);
            rig.replica.failing = true;
            await().atMost(WAIT).until(() -> gauge(rig.meters, "sluice.billing.copies.failing") == 1);
            int before = ofOne().size();
            await().atMost(WAIT).until(() -> ofOne().size() > before + 4);
            rig.replica.failing = false;
            await().atMost(WAIT).until(() -> gauge(rig.meters, "sluice.billing.copies.failing") == 0);
        }
    }

    private static byte[] gzip(String text) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(UTF_8));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static double leads(SimpleMeterRegistry meters) {
        return gauge(meters, "sluice.billing.leads");
    }

    private static double gauge(SimpleMeterRegistry meters, String name) {
        return meters.get(name).gauge().value();
    }

    private List<UsageEvent> ofOne() {
        return Bills.events(BillingRig.lines(ones, "usage"));
    }

    private List<UsageEvent> ofTwo() {
        return Bills.events(BillingRig.lines(twos, "usage"));
    }

    /** Returns the first event of each key, as a receiver keeps it. */
    private Map<String, UsageEvent> kept() {
        var kept = new LinkedHashMap<String, UsageEvent>();
        ofOne().forEach(event -> kept.put(event.idempotencyKey(), event));
        ofTwo().forEach(event -> kept.putIfAbsent(event.idempotencyKey(), event));
        return kept;
    }
}
