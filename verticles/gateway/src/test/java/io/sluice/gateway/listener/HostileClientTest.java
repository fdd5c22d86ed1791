package io.sluice.gateway.listener;

import static io.sluice.gateway.ListenerFixture.until;
import static io.sluice.gateway.listener.OpenListener.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients without a credential that try to use up a process's memory, event loops or connections. */
@ExtendWith(VertxExtension.class)
class HostileClientTest {
    private static final String GET = "GET /file HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final int PIPELINED = 900;

    /** More than the buffers of two sockets hold. */
    private static final Buffer LONG = Buffer.buffer(new byte[16 << 20]);

    @TempDir
    private Path directory;

    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();
    private OpenListener open;

    @BeforeEach
    void open(Vertx vertx) {
        open = new OpenListener(vertx);
    }

    @AfterEach
    void close() throws IOException {
        for (var socket : sockets) {
            socket.close();
        }
    }

    /** With TLS, Vert.x queues all replies before it writes the first. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientThatPipelinesRequestsAndReadsNothingGetsOneBegunAndIsCutOff(boolean tls) throws Exception {
        var hasty = new ListenerTimeouts(PATIENT.first(), PATIENT.idle(), Duration.ofMillis(500), PATIENT.renewal());
        var certificate = TestCertificate.of("EC", directory);
        var files = tls ? certificate.writeTo(directory) : TlsFiles.NONE;
        open.open(new ListenerConfig("127.0.0.1", 0, false, files, ""), answering(LONG), hasty);
        var plain = from("127.0.0.1");
        var socket = tls
                ? certificate
                        .trusting()
                        .getSocketFactory()
                        .createSocket(plain, "127.0.0.1", open.listener().port(), true)
                : plain;
        socket.getOutputStream().write(GET.repeat(PIPELINED).getBytes(StandardCharsets.US_ASCII));
        until(() -> begun.get() > 0);
        until(() -> connections() == 0);
        assertThat(begun).hasValue(1);
    }

    @Test
    void aClientThatPipelinesRequestsAndReadsGetsAllRepliesInTheirOrder() throws Exception {
        open.open(
                ListenerConfig.loopback(0),
                ListenerSpec.of(
                        "gateway.test",
                        router -> router.route()
                                .handler(context -> context.request()
                                        .bodyHandler(body -> Replies.text(
                                                context,
                                                200,
                                                "<" + context.request().path().substring(1) + body + ">")))),
                PATIENT);
        var requests = new StringBuilder();
        var expected = new ArrayList<String>();
        for (int i = 0; i < PIPELINED; i++) {
            boolean last = i == PIPELINED - 1;
            requests.append("POST /" + i + " HTTP/1.1\r\nHost: x\r\n" + (last ? "Connection: close\r\n" : "")
                    + "Content-Length: 2\r\n\r\n!!");
            expected.add(i + "!!");
        }
        var answers = open.raw(requests.toString());
        assertThat(answers.split("<")).hasSize(PIPELINED + 1);
        assertThat(answers.split("<"))
                .extracting(answer -> answer.split(">")[0])
                .endsWith(expected.toArray(String[]::new));
    }

    @Test
    void oneAddressHasAShareOfTheConnectionsOnly() throws Exception {
        open.open(ListenerConfig.loopback(0), answering(Buffer.buffer("inside")).keeping(8, 3), PATIENT);
        for (int i = 0; i < 3; i++) {
            from("127.0.0.2");
        }
        until(() -> connections() == 3);
        assertThat(from("127.0.0.2").getInputStream().read()).isNegative();
        assertThat(open.get("").body()).isEqualTo("inside");
        sockets.getFirst().close();
        until(() -> connections() == 2);
        assertThat(request(from("127.0.0.2"), GET)).startsWith("HTTP/1.1 200");
    }

    @Test
    void idleConnectionsLeaveRoomForProbesAndForNothingElse() throws Exception {
        var spec = answering(Buffer.buffer("inside"))
                .exempting(request -> "/livez".equals(request.path()))
                .keeping(4, 2);
        open.open(ListenerConfig.loopback(0), spec, PATIENT);
        for (int i = 0; i < 200; i++) {
            from("127.0.0." + (2 + i % 3));
        }
        until(() -> connections() >= 4);
        var answer = open.raw("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200").endsWith("inside");
        assertThat(open.raw(GET)).startsWith("HTTP/1.1 503").contains("only probes");
        assertThat(connections())
                .isLessThanOrEqualTo(4 + ConnectionCapacity.USUAL.withProbes().probes());
        assertThat(open.count("sluice.gateway.refused", "listener", "test", "reason", "full"))
                .isEqualTo(1);
    }

    @Test
    void unfinishedTlsHandshakesCountAsConnections() throws Exception {
        var files = TestCertificate.of("EC", directory).writeTo(directory);
        open.open(
                new ListenerConfig("127.0.0.1", 0, false, files, ""),
                answering(Buffer.buffer("inside")).keeping(8, 3),
                PATIENT);
        IntStream.range(0, 3).forEach(i -> from("127.0.0.2"));
        until(() -> connections() == 3);
        assertThat(from("127.0.0.2").getInputStream().read()).isNegative();
    }

    private ListenerSpec answering(Buffer body) {
        return ListenerSpec.of(
                "gateway.test",
                router -> router.route().handler(context -> {
                    begun.incrementAndGet();
                    context.response().end(body);
                }));
    }

    private double connections() {
        return open.meters.get("sluice.gateway.connections").gauge().value();
    }

    private Socket from(String address) {
        try {
            var socket = new Socket(
                    InetAddress.getByName("127.0.0.1"), open.listener().port(), InetAddress.getByName(address), 0);
            socket.setSoTimeout(20_000);
            sockets.add(socket);
            return socket;
        } catch (IOException refused) {
            throw new AssertionError(refused);
        }
    }

    private static String request(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    }
}
