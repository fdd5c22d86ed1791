package io.sluice.monitor;

import static io.sluice.monitor.MonitorClient.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.monitor.core.MonitorConfig;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The frames that the dispatcher writes, compared byte for byte. A stock monitor fails on most deviations, or drops the
 * connection.
 */
@ExtendWith(VertxExtension.class)
class FramesTest {
    private static final VmId VM = vm("one");

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private MonitorClient client;

    @BeforeEach
    void open(Vertx vertx) {
        client = new MonitorClient(vertx, MonitorConfig.DEFAULTS);
    }

    private String next(String part) throws InterruptedException {
        var text = received.take();
        while (!text.contains(part)) {
            text = received.take();
        }
        return text;
    }

    /** Answers each health check and each resize. */
    private void behave(HostileMonitor.Wire wire) throws IOException {
        while (true) {
            var text = wire.next();
            received.add(text);
            var id = ScriptedMonitor.id(text);
            if (text.contains("HealthCheck")) {
                wire.answer(text);
            } else if (text.contains("Upscale")) {
                wire.text("{\"type\":\"UpscaleConfirmation\",\"id\":" + id + "}");
            } else if (text.contains("Downscale")) {
                wire.text("{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"\",\"id\":" + id + "}");
            }
        }
    }

    @Test
    void requestsTheUpgradeOfThePathAndOffersNothingElse() throws Exception {
        try (var monitor = new HostileMonitor(wire -> {
            var head = wire.head();
            received.add(head);
            wire.raw(wire.upgradeAnswer(head));
            wire.listen();
        })) {
            client.attach(VM, monitor.endpoint());
            var head = next("");
            assertThat(head).startsWith("GET /monitor HTTP/1.1\r\n");
            assertThat(head.toLowerCase()).contains("sec-websocket-version: 13").doesNotContain("origin", "extensions");
        }
    }

    /** A range that begins above 1 stops a stock monitor. A ping before its version answer ends the session. */
    @Test
    void offersVersionOneToOneAndSendsNothingElseBeforeTheReply() throws Exception {
        try (var monitor = new HostileMonitor(wire -> {
            wire.upgrade();
            received.add(wire.next());
            received.add(wire.next());
        })) {
            client.attach(VM, monitor.endpoint());
            assertThat(next("")).isEqualTo("{\"min\":1,\"max\":1}");
            // The dispatcher sends nothing more while it waits for a version, until it gives up.
            assertThat(client.state(VM, state -> state.reason().contains("no version"))
                            .connected())
                    .isFalse();
            assertThat(received).isEmpty();
        }
    }

    @Test
    void proposesASessionOnlyFromTheFirstAnswerOn() throws Exception {
        try (var monitor = new HostileMonitor(wire -> {
            wire.shakeHands();
            received.add(wire.next());
        })) {
            client.attach(VM, monitor.endpoint());
            assertThat(next("")).isEqualTo("{\"content\":{},\"type\":\"HealthCheck\",\"id\":2}");
            var lost = client.state(VM, state -> !state.reason().equals("not connected yet"));
            assertThat(lost.reason()).isEqualTo("the monitor ended the connection");
            assertThat(lost.connected()).isFalse();
        }
    }

    /** Memory never has an exponent or a point, however large; CPU may have a point; ids are even and grow by two. */
    @Test
    void writesAmountsAndIdsAsAMonitorReadsThem() throws Exception {
        try (var monitor = new HostileMonitor(wire -> {
            wire.shakeHands();
            behave(wire);
        })) {
            client.attach(VM, monitor.endpoint());
            long generation = client.state(VM, MonitorState::connected).generation();
            var frames = new ArrayList<String>();
            for (long memory : LongStream.of(1, 9_999_999, 10_000_000, 1L << 30, 1L << 53, Long.MAX_VALUE)
                    .toArray()) {
                frames.add(resized(true, generation, new Resources(250, memory), "Upscale"));
                frames.add(resized(false, generation, new Resources(250, memory), "Downscale"));
            }
            assertThat(frames).allMatch(frame -> !frame.matches(".*\"mem\":\\d*[^\\d}].*"));
            assertThat(frames.get(4)).contains("{\"content\":{\"granted\":{\"cpu\":0.25,\"mem\":10000000}}");
            assertThat(frames.get(11)).contains("{\"content\":{\"target\":{\"cpu\":0.25,\"mem\":9223372036854775807}}");
            var ids = frames.stream()
                    .map(frame -> Long.parseLong(ScriptedMonitor.id(frame)))
                    .toList();
            assertThat(ids).isSorted().allMatch(id -> id % 2 == 0).doesNotHaveDuplicates();
        }
    }

    @Test
    void writesCpuInWholeOrPartsOfACpu() throws Exception {
        try (var monitor = new HostileMonitor(wire -> {
            wire.shakeHands();
            behave(wire);
        })) {
            client.attach(VM, monitor.endpoint());
            long generation = client.state(VM, MonitorState::connected).generation();
            var written = new ArrayList<String>();
            for (long milliCpu : List.of(1L, 250L, 333L, 1000L, 1250L, 128_000L)) {
                var frame = resized(true, generation, new Resources(milliCpu, 1), "Upscale");
                written.add(frame.replaceFirst(".*\"cpu\":([^,]*),.*", "$1"));
            }
            assertThat(written).containsExactly("0.001", "0.25", "0.333", "1.0", "1.25", "128.0");
        }
    }

    private String resized(boolean up, long generation, Resources target, String part) throws InterruptedException {
        assertThat(client.resize(up, VM, generation, target).await()).isEqualTo(new ResizeReply.Accepted(""));
        return next(part);
    }
}
