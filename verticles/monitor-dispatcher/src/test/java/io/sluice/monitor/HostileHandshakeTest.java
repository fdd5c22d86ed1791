package io.sluice.monitor;

import static io.sluice.monitor.HostileMonitor.BINARY;
import static io.sluice.monitor.HostileRig.BAD;
import static io.sluice.monitor.HostileRig.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.monitor.HostileMonitor.Script;
import io.sluice.monitor.HostileMonitor.Wire;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fault F16 before a session exists: what a monitor may do to a dial, an upgrade and a handshake. Each test waits for
 * timeouts with its own dispatcher, so the tests run in parallel.
 */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("F16: a monitor that breaks the handshake is dialled again with back-off")
@ExtendWith(VertxExtension.class)
class HostileHandshakeTest {
    private static final long ENDLESS = 64L << 20;

    private HostileRig rig;

    @BeforeEach
    void open(Vertx vertx) throws InterruptedException {
        rig = new HostileRig(vertx);
    }

    @AfterEach
    void theOtherNeverFeltIt() throws IOException {
        rig.close();
    }

    static Stream<Arguments> neverConnected() {
        return Stream.of(
                Arguments.of("an upscale request in place of the version", "version must be 1", (Script) wire -> {
                    wire.upgrade();
                    wire.text("{\"type\":\"UpscaleRequest\",\"id\":3}");
                    wire.listen();
                }),
                Arguments.of("another version", "version must be 1, not 2", (Script) wire -> {
                    wire.upgrade();
                    wire.text("{\"version\":2}");
                    wire.listen();
                }),
                Arguments.of("an error", "refused: no", (Script) wire -> {
                    wire.upgrade();
                    wire.text("{\"error\":\"no\"}");
                    wire.listen();
                }),
                Arguments.of("the version twice", "unreadable message: type must be a text", (Script) wire -> {
                    wire.shakeHands();
                    wire.text("{\"version\":1}");
                    wire.listen();
                }),
                Arguments.of("an accept and nothing", "", (Script) Wire::listen),
                Arguments.of("an upgrade and nothing", "no version within 1s500ms", (Script) wire -> {
                    wire.upgrade();
                    wire.listen();
                }),
                Arguments.of("a version and nothing", "no first answer within 1s500ms", (Script) wire -> {
                    wire.shakeHands();
                    wire.listen();
                }),
                Arguments.of("a binary version", "the monitor sent a binary message", (Script) wire -> {
                    wire.upgrade();
                    wire.frame(true, BINARY, "{\"version\":1}".getBytes(StandardCharsets.UTF_8));
                    wire.listen();
                }),
                Arguments.of("a half-closed upgrade", "the monitor ended the connection", (Script) wire -> {
                    wire.upgrade();
                    wire.halfClose();
                    wire.listen();
                }),
                Arguments.of("a half-closed session", "the monitor ended the connection", (Script) wire -> {
                    wire.shakeHands();
                    wire.halfClose();
                    wire.listen();
                }),
                Arguments.of("a reset of the dial", "", (Script) Wire::reset),
                Arguments.of("a reset of the request", "", (Script) wire -> {
                    wire.head();
                    wire.reset();
                }),
                Arguments.of("a reset of the upgrade", "the monitor ended the connection", (Script) wire -> {
                    wire.upgrade();
                    wire.reset();
                }),
                Arguments.of("a reset of the range", "the monitor ended the connection", (Script) wire -> {
                    wire.upgrade();
                    wire.next();
                    wire.reset();
                }),
                Arguments.of("a reset of the version", "the monitor ended the connection", (Script) wire -> {
                    wire.shakeHands();
                    wire.next("HealthCheck");
                    wire.reset();
                }),
                Arguments.of("a status without an upgrade", "200", (Script) wire -> refuse(wire, "200 OK")),
                Arguments.of("a redirection", "302", (Script) wire -> refuse(wire, "302 Found\r\nlocation: /monitor")),
                Arguments.of("a server error", "500", (Script) wire -> refuse(wire, "500 Oh")),
                Arguments.of("no HTTP at all", "", (Script) wire -> {
                    wire.head();
                    wire.raw("SSH-2.0-OpenSSH_9.6\r\n\r\n");
                    wire.listen();
                }),
                Arguments.of("a wrong key", "", (Script) wire -> {
                    wire.raw(wire.upgradeAnswer(wire.head()).replaceFirst("accept: ....", "accept: AAAA"));
                    wire.listen();
                }),
                Arguments.of("a masked frame", "", (Script) wire -> {
                    wire.upgrade();
                    wire.raw(new byte[] {(byte) 0x81, (byte) 0x80, 1, 2, 3, 4});
                    wire.listen();
                }),
                Arguments.of("a slow drip", "", (Script) wire -> {
                    for (byte one : wire.upgradeAnswer(wire.head()).getBytes(StandardCharsets.US_ASCII)) {
                        wire.raw(new byte[] {one});
                        LockSupport.parkNanos(50_000_000);
                    }
                }),
                Arguments.of("headers without an end", "", (Script) wire -> {
                    wire.head();
                    wire.raw("HTTP/1.1 101 Switching Protocols\r\n");
                    while (true) {
                        wire.raw("x-more: " + "y".repeat(1000) + "\r\n");
                    }
                }));
    }

    private static void refuse(Wire wire, String status) throws IOException {
        wire.head();
        wire.raw("HTTP/1.1 " + status + "\r\ncontent-length: 0\r\n\r\n");
        wire.listen();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void neverConnected(String name, String reason, Script script) throws Exception {
        rig.misbehave(script);
        rig.isDroppedFor(reason);
        assertThat(rig.client.gauge("connected")).isEqualTo(1);
    }

    static Stream<Arguments> endless() {
        var chunk = "2000\r\n" + "z".repeat(0x2000) + "\r\n";
        return Stream.of(
                Arguments.of("in chunks", "404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n", chunk),
                Arguments.of("by a length", "403 Forbidden\r\ncontent-length: 9000000000000000\r\n\r\n", chunk),
                Arguments.of("until the end", "500 Oh\r\n\r\n", chunk),
                Arguments.of(
                        "in small chunks", "403 No\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\nz\r\n".repeat(999)),
                Arguments.of("in interim answers", "100 Continue\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n".repeat(99)),
                Arguments.of(
                        "in trailers", "403 No\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", "x: y\r\n".repeat(999)));
    }

    /** It is cut off after what two sockets' buffers contain, long before its timeout. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("endless")
    void aRefusalWithoutAnEndIsCutOff(String name, String head, String more) throws Exception {
        var sent = new ConcurrentLinkedQueue<Long>();
        var bytes = more.getBytes(StandardCharsets.US_ASCII);
        rig.misbehave(wire -> {
            long soFar = 0;
            try {
                wire.head();
                wire.raw("HTTP/1.1 " + head);
                while (soFar < ENDLESS) {
                    wire.raw(bytes);
                    soFar += bytes.length;
                }
            } finally {
                sent.add(soFar);
            }
        });
        rig.isDroppedFor("");
        rig.client.detach(BAD);
        await().atMost(TIMEOUT).until(() -> rig.hostile.open() == 0);
        assertThat(sent).isNotEmpty().allSatisfy(each -> assertThat(each).isLessThan(ENDLESS));
    }
}
