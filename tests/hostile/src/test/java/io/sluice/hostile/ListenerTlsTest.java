package io.sluice.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.listener.ListenerConfig;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each listener with TLS gets a hello of TLS 1.1, which it refuses, and each without TLS gets a hello of TLS. */
@ExtendWith(VertxExtension.class)
class ListenerTlsTest {
    private static final int TIMEOUT_MS = 60_000;
    private static final byte[] GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int END = -1;
    private static final int ALERT = 21;
    private static final int HANDSHAKE = 22;
    private static final int TLS_1_1 = 0x0302;
    private static final int TLS_1_2 = 0x0303;
    private static final int[] CIPHERS = {0xc02b, 0xc02c, 0xc009, 0xc00a, 0xc023, 0x002f};

    private static Certificates certificates;
    private static Listeners secure;
    private static Listeners plain;

    @BeforeAll
    static void open(Vertx vertx) throws Exception {
        certificates = Certificates.ofThisRun();
        var token =
                Files.writeString(certificates.authorityFile().resolveSibling("tokens"), "listeners-token-0123456789");
        secure =
                new Listeners(vertx, new ListenerConfig("127.0.0.1", 0, false, certificates.files(), token.toString()));
        plain = new Listeners(vertx, ListenerConfig.loopback(0));
    }

    /** The same hello in another version gets a reply, so the version is the reason for the refusal. */
    @ParameterizedTest
    @EnumSource
    void refusesTls11(Listeners.Kind kind) throws Exception {
        assertThat(firstByte(secure.port(kind), hello(TLS_1_1))).isEqualTo(ALERT);
        assertThat(firstByte(secure.port(kind), hello(TLS_1_2))).isEqualTo(HANDSHAKE);
    }

    /** A listener without TLS does not reply in TLS: the bytes of a hello are an invalid request. */
    @ParameterizedTest
    @EnumSource
    void answersAHelloPlainlyWhereItHasNoTls(Listeners.Kind kind) throws Exception {
        assertThat(firstByte(plain.port(kind), hello(TLS_1_2))).isIn((int) 'H', END);
        assertThat(firstByte(plain.port(kind), GET)).isEqualTo('H');
    }

    /** The first byte of the reply, which is the kind of a TLS record. */
    private static int firstByte(int port, byte[] sent) throws IOException {
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(sent);
            socket.getOutputStream().write(GET);
            return socket.getInputStream().read();
        } catch (SocketException cutOff) {
            return END;
        }
    }

    /** Builds a hello by hand, as today's JDK does not write that version. */
    private static byte[] hello(int version) {
        var extensions = extensions();
        int ciphers = 2 * CIPHERS.length;
        int length = 2 + 32 + 1 + 2 + ciphers + 2 + 2 + extensions.length;
        var hello = ByteBuffer.allocate(5 + 4 + length);
        hello.put((byte) HANDSHAKE).putShort((short) 0x0301).putShort((short) (4 + length));
        hello.putInt(1 << 24 | length).putShort((short) version);
        hello.position(hello.position() + 32);
        hello.put((byte) 0).putShort((short) ciphers);
        for (int cipher : CIPHERS) {
            hello.putShort((short) cipher);
        }
        return hello.put((byte) 1)
                .put((byte) 0)
                .putShort((short) extensions.length)
                .put(extensions)
                .array();
    }

    /** Elliptic curves, point formats and signature algorithms. */
    private static byte[] extensions() {
        return new byte[] {0, 10, 0, 6, 0, 4, 0, 23, 0, 24, 0, 11, 0, 2, 1, 0, 0, 13, 0, 8, 0, 6, 4, 3, 5, 3, 2, 3};
    }
}
