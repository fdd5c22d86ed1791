package io.sluice.monitor;

import static io.sluice.monitor.HostileMonitor.BINARY;
import static io.sluice.monitor.HostileMonitor.CONTINUATION;
import static io.sluice.monitor.HostileMonitor.PING;
import static io.sluice.monitor.HostileMonitor.TEXT;
import static io.sluice.monitor.HostileRig.BAD;
import static io.sluice.monitor.HostileRig.BYTES_MAX;
import static io.sluice.monitor.HostileRig.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.messages.monitor.ResizeReply;
import io.sluice.monitor.HostileMonitor.Wire;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault F16 in a session: what a monitor may send or omit, and how fast. */
@DisplayName("F16: a monitor that breaks the protocol affects its own VM alone")
@ExtendWith(VertxExtension.class)
class HostileMonitorTest {
    private HostileRig rig;

    @BeforeEach
    void open(Vertx vertx) throws InterruptedException {
        rig = new HostileRig(vertx);
    }

    @AfterEach
    void theOtherNeverFeltIt() throws IOException {
        rig.close();
    }

    @Test
    void aReplyAfterItsTimeIsDroppedAndTheSessionGoesOn() throws Exception {
        var late = new CountDownLatch(1);
        rig.misbehave(wire -> {
            wire.prove();
            var requested = wire.next("UpscaleNotification");
            var check = new AtomicInteger();
            while (late.getCount() > 0) {
                var text = wire.next("HealthCheck");
                wire.answer(text);
                check.incrementAndGet();
            }
            wire.text("{\"type\":\"UpscaleConfirmation\",\"id\":" + ScriptedMonitor.id(requested) + "}");
            wire.behave();
        });
        var state = rig.connected();
        assertThat(rig.client.upscale(BAD, state.generation()).await())
                .isEqualTo(new ResizeReply.Failed("the monitor did not answer within 1s500ms"));
        late.countDown();
        await().atMost(TIMEOUT)
                .until(() -> rig.client
                                .meters
                                .get("sluice.monitor.protocol.errors")
                                .counter()
                                .count()
                        == 1);
        assertThat(rig.client.upscale(BAD, state.generation()).await()).isEqualTo(new ResizeReply.Accepted(""));
        assertThat(rig.hostile.connections()).isEqualTo(1);
    }

    @Test
    void aReplyThatComesTwiceCountsOnce() throws Exception {
        rig.misbehave(wire -> {
            wire.prove();
            var id = ScriptedMonitor.id(wire.next("UpscaleNotification"));
            wire.text("{\"type\":\"UpscaleConfirmation\",\"id\":" + id + "}");
            wire.text("{\"type\":\"UpscaleConfirmation\",\"id\":" + id + "}");
            wire.behave();
        });
        var state = rig.connected();
        assertThat(rig.client.upscale(BAD, state.generation()).await()).isEqualTo(new ResizeReply.Accepted(""));
        await().atMost(TIMEOUT)
                .until(() -> rig.client
                                .meters
                                .get("sluice.monitor.protocol.errors")
                                .counter()
                                .count()
                        == 1);
        assertThat(rig.client.upscale(BAD, state.generation()).await()).isEqualTo(new ResizeReply.Accepted(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"UpscaleRequest\",\"id\":3}",
                "{\"type\":\"UpscaleConfirmation\",\"id\":4711}",
                "{\"type\":\"Nonsense\",\"id\":5}",
                "{\"type\":\"InvalidMessage\",\"error\":\"?\",\"id\":2}"
            })
    void aFloodOfMessagesEndsTheSession(String text) throws Exception {
        rig.misbehave(wire -> {
            wire.prove();
            flood(wire, Wire.bytes(true, TEXT, text.getBytes(StandardCharsets.UTF_8)));
        });
        rig.connected();
        rig.isDroppedFor("more than 100 messages or 65536 bytes in a second");
        assertThat(rig.client.upscaleRequests(BAD).size()).isLessThanOrEqualTo(rig.hostile.connections() * 5);
    }

    private static void flood(Wire wire, byte[] frame) throws IOException {
        while (true) {
            wire.raw(frame);
        }
    }

    @Test
    void aFloodOfGarbageEndsTheSession() throws Exception {
        rig.misbehave(wire -> {
            wire.prove();
            flood(wire, Wire.bytes(true, TEXT, "]]]]".getBytes(StandardCharsets.UTF_8)));
        });
        rig.connected();
        rig.isDroppedFor("unreadable message: not a JSON object");
    }

    @Test
    void aFloodOfLargeMessagesEndsTheSession() throws Exception {
        rig.misbehave(wire -> {
            wire.prove();
            flood(wire, Wire.bytes(true, TEXT, padded(BYTES_MAX - 100)));
        });
        rig.connected();
        rig.isDroppedFor("more than 100 messages or 65536 bytes in a second");
    }

    private static byte[] padded(int bytes) {
        var text = "{\"type\":\"UpscaleRequest\",\"id\":3,\"pad\":\"";
        return (text + "x".repeat(bytes - text.length() - 2) + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aMessageJustUnderTheLimitIsTaken() throws Exception {
        rig.misbehave(wire -> {
            wire.shakeHands();
            wire.frame(true, TEXT, padded(BYTES_MAX - 100));
            wire.behave();
        });
        assertThat(rig.connected().connected()).isTrue();
        await().atMost(TIMEOUT).until(() -> !rig.client.upscaleRequests(BAD).isEmpty());
    }

    @Test
    void aMessageJustOverTheLimitEndsTheSession() throws Exception {
        rig.misbehave(wire -> {
            wire.prove();
            wire.frame(true, TEXT, padded(BYTES_MAX + 1));
            wire.listen();
        });
        rig.connected();
        rig.isDroppedFor("");
    }

    @Test
    void aMessageWithFragmentsThatAreTooLargeTogetherEndsTheSession() throws Exception {
        rig.misbehave(wire -> {
            wire.prove();
            wire.frame(false, TEXT, "{".getBytes(StandardCharsets.UTF_8));
            while (true) {
                wire.frame(false, CONTINUATION, new byte[BYTES_MAX / 2]);
            }
        });
        rig.connected();
        rig.isDroppedFor("");
    }

    @Test
    void aFragmentedMessageIsTakenAlsoWithAPingInIt() throws Exception {
        rig.misbehave(wire -> {
            wire.shakeHands();
            var id = ScriptedMonitor.id(wire.next("HealthCheck"));
            wire.frame(false, TEXT, "{\"type\":\"Health".getBytes(StandardCharsets.UTF_8));
            wire.frame(true, PING, "mid".getBytes(StandardCharsets.UTF_8));
            wire.frame(false, CONTINUATION, "Check\",\"id\":".getBytes(StandardCharsets.UTF_8));
            wire.frame(true, CONTINUATION, (id + "}").getBytes(StandardCharsets.UTF_8));
            wire.next("10 mid");
            wire.behave();
        });
        long generation = rig.connected().generation();
        assertThat(rig.client.upscale(BAD, generation).await()).isEqualTo(new ResizeReply.Accepted(""));
    }

    @Test
    void aFragmentThatIsNeverFinishedIsNoAnswer() throws Exception {
        rig.misbehave(wire -> {
            wire.shakeHands();
            wire.frame(false, TEXT, "{\"type\":\"Health".getBytes(StandardCharsets.UTF_8));
            wire.listen();
        });
        rig.isDroppedFor("no first answer within 1s500ms");
    }

    @Test
    void aBinaryMessageEndsTheSession() throws Exception {
        rig.misbehave(wire -> {
            wire.prove();
            wire.frame(true, BINARY, "{\"type\":\"UpscaleRequest\",\"id\":3}".getBytes(StandardCharsets.UTF_8));
            wire.listen();
        });
        rig.connected();
        rig.isDroppedFor("the monitor sent a binary message");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFloodOfPingsEndsTheSession(boolean read) throws Exception {
        var sent = new AtomicLong();
        rig.misbehave(wire -> {
            wire.prove();
            if (read) {
                Thread.ofVirtual().start(() -> {
                    try {
                        wire.listen();
                    } catch (IOException ended) {
                        sent.addAndGet(0);
                    }
                });
            }
            while (true) {
                wire.frame(true, PING, new byte[125]);
                sent.incrementAndGet();
            }
        });
        rig.connected();
        var lost = rig.client.state(BAD, state -> !state.connected());
        assertThat(lost.reason()).containsAnyOf("more than 1000 frames or", "does not read its messages");
    }

    @Test
    void aResetInTheMiddleOfACallFailsTheCall() throws Exception {
        rig.misbehave(wire -> {
            wire.prove();
            wire.next("UpscaleNotification");
            wire.reset();
        });
        assertThat(rig.client.upscale(BAD, rig.connected().generation()).await())
                .isEqualTo(new ResizeReply.Failed("the session ended: the monitor ended the connection"));
    }

    /** No monitor is dialled faster than the waits allow, however fast each attempt fails. */
    @Test
    void attemptsThatFailAtOnceAreNotMadeInALoop() throws Exception {
        long began = System.nanoTime();
        rig.misbehave(Wire::reset);
        await().atMost(TIMEOUT).until(() -> rig.hostile.connections() > 10);
        double seconds = (System.nanoTime() - began) / 1e9;
        assertThat(rig.hostile.connections()).isLessThan((int) (4 + seconds / 0.025));
    }
}
