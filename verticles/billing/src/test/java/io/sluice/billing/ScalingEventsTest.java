package io.sluice.billing;

import static io.sluice.billing.Bills.WAIT;
import static io.sluice.billing.Bills.awaitEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.AgentAddresses;
import io.sluice.messages.agent.ScalingRecorded;
import io.sluice.units.VmId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests scaling events, from records on the bus to the files. */
class ScalingEventsTest {
    private static final Instant AT = Instant.parse("2026-03-01T00:00:00.25Z");
    private static final VmId VM = new VmId("neonvm", "default", "db", "uid-db");

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

    private BillingRig reported() {
        return rig.with("scalingEvents.regionName", "eu-x")
                .with("scalingEvents.file.directory", directory.resolve("bills").toString())
                .with("scalingEvents.file.pushEvery", "100ms");
    }

    private void given(int milliCu) {
        rig.bus.publish(
                AgentAddresses.SCALING_RECORDED,
                new ScalingRecorded(
                        ScalingRecorded.Kind.ACTUAL,
                        VM,
                        "ep-1",
                        AT,
                        250,
                        milliCu,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
    }

    private static String givenLine(int milliCu) {
        return "{\"timestamp\":\"2026-03-01T00:00:00.25Z\",\"region\":\"eu-x\",\"endpoint_id\":\"ep-1\","
                + "\"kind\":\"actual\",\"current_cu\":250,\"target_cu\":" + milliCu + "}";
    }

    private static List<String> givenLines(int from, int to) {
        return IntStream.range(from, to).mapToObj(ScalingEventsTest::givenLine).toList();
    }

    private List<String> lines() {
        return rig.lines("scaling");
    }

    private double waiting() {
        return rig.meters
                .get("autoscaling_agent_scalingevents_queue_size")
                .tag("client", "file")
                .gauge()
                .value();
    }

    private long lost() {
        return (long) rig.meters
                .get("sluice.billing.outbox.lost.events")
                .tag("queue", "scalingevents/file")
                .functionCounter()
                .count();
    }

    @Test
    void reportsWhatAVmIsGivenAndWhatItsLoadNeeds() {
        reported().start();
        given(500);
        rig.bus.publish(
                AgentAddresses.SCALING_RECORDED,
                new ScalingRecorded(
                        ScalingRecorded.Kind.HYPOTHETICAL,
                        VM,
                        "",
                        AT.plusNanos(1),
                        500,
                        750,
                        Optional.of(0.61),
                        Optional.of(0.4),
                        Optional.empty()));
        given(750);
        await().atMost(WAIT).until(() -> lines().size() == 3);

        assertThat(lines())
                .containsExactly(
                        givenLine(500),
                        "{\"timestamp\":\"2026-03-01T00:00:00.250000001Z\",\"region\":\"eu-x\",\"endpoint_id\":\"\","
                                + "\"kind\":\"hypothetical\",\"current_cu\":500,\"target_cu\":750,"
                                + "\"goalComponents\":{\"cpu\":0.61,\"mem\":0.4}}",
                        givenLine(750));
    }

    @Test
    void whatArrivesBeforeAStopIsSent() {
        reported().with("collectEvery", "1h").with("accumulateEvery", "1h").with("scalingEvents.file.pushEvery", "1h");
        rig.start();
        IntStream.range(0, 50).forEach(this::given);
        rig.stop();

        assertThat(lines()).isEqualTo(givenLines(0, 50));
    }

    @Test
    void nothingIsCollectedWhereNoSinkIsConfigured() throws Exception {
        rig.with("scalingEvents.regionName", "eu-x").vm("db", 1, "ep-1", 1_000);
        rig.start();
        given(500);
        awaitEvents(rig, 4);

        assertThat(rig.meters.find("autoscaling_agent_scalingevents_queue_size").gauge())
                .isNull();
        assertThat(BillingRig.done(rig.shell.dumps().parts().get("billing").read("queues")))
                .contains("billing/file")
                .doesNotContain("scalingevents");
        rig.stop();
        assertThat(lines()).isEmpty();
        reported().start();
        rig.stop();
        assertThat(lines()).as("events from before a sink was configured").isEmpty();
    }

    @Test
    void waitsForASinkThatIsDownAndOutlivesTheProcess() throws IOException {
        var scaling = directory.resolve("scaling");
        Files.writeString(scaling, "a file where a directory should be");
        reported().with("scalingEvents.file.directory", scaling.toString()).start();
        IntStream.range(0, 10).forEach(this::given);
        await().atMost(WAIT).until(() -> waiting() == 10);
        rig.stop();
        Files.delete(scaling);
        reported().start();
        IntStream.range(10, 20).forEach(this::given);
        await().atMost(WAIT).until(() -> lines().size() >= 20);
        rig.stop();

        assertThat(lines()).isEqualTo(givenLines(0, 20));
    }

    /** By default the oldest are dropped, and bills go on meanwhile. */
    @Test
    void theOldestAreDroppedWhereThereIsNoRoomAndBillsGoOn() throws IOException {
        int each = 100;
        int offers = 8;
        var scaling = directory.resolve("scaling");
        Files.writeString(scaling, "a file where a directory should be");
        reported()
                .with("scalingEvents.file.directory", scaling.toString())
                .with("scalingEvents.outbox.maxSize", "64KiB")
                .vm("db", 1, "ep-1", 1_000);
        rig.start();
        for (int offer = 0; offer < offers; offer++) {
            IntStream.range(offer * each, (offer + 1) * each).forEach(this::given);
            int reported = (offer + 1) * each;
            await().atMost(WAIT).pollInterval(10, TimeUnit.MILLISECONDS).until(() -> waiting() + lost() == reported);
        }
        assertThat(lost()).isBetween(1L, (long) (offers - 1) * each);
        int before = Bills.events(rig).size();
        awaitEvents(rig, before + 2);
        assertThat(rig.meters.get("sluice.billing.blocked").gauge().value()).isZero();
        int dropped = (int) lost();
        rig.stop();
        Files.delete(scaling);
        reported().start();
        rig.stop();

        assertThat(lines()).isEqualTo(givenLines(dropped, offers * each));
    }
}
