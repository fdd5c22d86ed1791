package io.sluice.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.listener.ListenerConfig;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every listener cuts a request off that never ends, whatever part of it is endless. */
@ExtendWith(VertxExtension.class)
class EndlessRequestTest {
    /** Many times the capacity of the buffers of two sockets. */
    private static final long ENDLESS = 128L << 20;

    private static final int TIMEOUT_MS = 60_000;
    private static final String CHUNKED = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static Listeners listeners;

    private record Request(String name, String head, String more) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Request> REQUESTS = List.of(
            new Request("a first line", "GET /", "x".repeat(1000)),
            new Request("one header", "GET / HTTP/1.1\r\nHost: localhost\r\nX-More: ", "y".repeat(1000)),
            new Request("headers", "GET / HTTP/1.1\r\nHost: localhost\r\n", "X-More: y\r\n".repeat(99)),
            new Request(
                    "a body of a length",
                    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000000000000\r\n\r\n",
                    "z".repeat(8192)),
            new Request("a body in chunks", CHUNKED, "2000\r\n" + "z".repeat(0x2000) + "\r\n"),
            new Request("a chunk's length", CHUNKED, "0".repeat(1000)),
            new Request("a chunk's extension", CHUNKED + "1;", "x".repeat(1000)),
            new Request("trailers", CHUNKED + "0\r\n", "X-More: y\r\n".repeat(99)),
            new Request("one trailer", CHUNKED + "0\r\nX-More: ", "y".repeat(1000)));

    static Stream<Arguments> all() {
        return Arrays.stream(Listeners.Kind.values())
                .flatMap(kind -> REQUESTS.stream().map(request -> Arguments.of(kind, request)));
    }

    @BeforeAll
    static void open(Vertx vertx) {
        listeners = new Listeners(vertx, ListenerConfig.loopback(0));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("all")
    void isCutOff(Listeners.Kind kind, Request request) throws Exception {
        assertThat(taken(listeners.port(kind), request)).isLessThan(ENDLESS);
        assertThat(listeners.uncaught).isEmpty();
        assertThat(listeners.requested).hasValue(0);
    }

    /** How many bytes could be written before the listener closed the connection. */
    private static long taken(int port, Request request) throws IOException {
        byte[] more = request.more().getBytes(StandardCharsets.US_ASCII);
        long taken = 0;
        try (var socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(TIMEOUT_MS);
            var out = socket.getOutputStream();
            try {
                out.write(request.head().getBytes(StandardCharsets.US_ASCII));
                while (taken < ENDLESS) {
                    out.write(more);
                    taken += more.length;
                }
            } catch (IOException hungUp) {
                return taken;
            }
        }
        return taken;
    }
}
