package io.sluice.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.listener.ListenerConfig;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Bytes for the listeners over real sockets, a connection each: the reply is nothing, or HTTP without a sign of a
 * defect. A valid request gets the same reply as before, and no connection is kept.
 */
@Isolated("measures what the heap keeps")
@ExtendWith(VertxExtension.class)
class HttpFuzzTest {
    private static final int BYTES_MAX = 12 << 10;
    private static final int TIMEOUT_MS = 60_000;

    /** A request that names another protocol than HTTP gets "not implemented" under that name. */
    private static final Pattern ANSWER = Pattern.compile("(?s)\\S+/\\S+ [1-5]\\d\\d .*");

    private static final Pattern DEFECT = Pattern.compile("(?m)^\\S+/\\S+ 50[02] ");
    private static final String AGENT_BODY = "{\"protoVersion\":7,\"pod\":{\"namespace\":\"default\",\"name\":\"x-0\"},"
            + "\"computeUnit\":{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"},\"resources\":{\"vCPUs\":\"500m\",\"mem\":\"2Gi\"},"
            + "\"lastPermit\":{\"vCPUs\":\"250m\",\"mem\":\"1Gi\"},\"metrics\":{\"loadAvg1M\":0.42}}";
    private static final List<byte[]> CORPUS = requests(
            "POST / HTTP/1.1\nHost: localhost\nContent-Length: " + AGENT_BODY.length() + "\n\n" + AGENT_BODY,
            "POST /permit HTTP/1.1\n"
                    + "Host: localhost\n"
                    + "Transfer-Encoding: chunked\n\n"
                    + "1d\n"
                    + "{\"protoVersion\":7,\"pod\":null}\n"
                    + "0\n"
                    + "X-Trailer: y\n\n",
            "GET /livez HTTP/1.1\nHost: localhost\nConnection: close\n\n",
            "GET /readyz?verbose HTTP/1.1\nHost: 127.0.0.1\nAccept: */*\nUser-Agent: kube-probe/1.35\n\n",
            "GET /metrics HTTP/1.1\nHost: localhost\nAccept-Encoding: gzip\n\n",
            "GET /api/fleet?limit=10&q=%2A HTTP/1.1\nHost: localhost\nCookie: sluice=abc; b=\"c\"\n\n",
            "GET /api/vm/default/x HTTP/1.1\n"
                    + "Host: localhost\n"
                    + "Origin: http://localhost\n"
                    + "Sec-Fetch-Site: same-origin\n\n",
            "GET /api/why?vm=default/x&at=2026-11-21T00:00:00Z HTTP/1.1\nHost: localhost\n\n",
            "GET /assets/app.js HTTP/1.1\nHost: localhost\nIf-None-Match: \"x\"\nRange: bytes=0-10\n\n",
            "GET /dump?part=agent&key=a%2Fb HTTP/1.1\nHost: localhost\n\n",
            "POST /login HTTP/1.1\n"
                    + "Host: localhost\n"
                    + "Content-Type: application/x-www-form-urlencoded\n"
                    + "Content-Length: 7\n\n"
                    + "token=a",
            "HEAD / HTTP/1.0\n\n");
    private static final List<byte[]> WORDS = requests(
            "\n",
            "\n\n",
            "Content-Length: 5\n",
            "Content-Length: -1\n",
            "Transfer-Encoding: chunked\n",
            "Expect: 100-continue\n",
            "Connection: Upgrade\n"
                    + "Upgrade: websocket\n"
                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\n"
                    + "Sec-WebSocket-Version: 13\n",
            "Upgrade: h2c\nHTTP2-Settings: AAMAAABkAAQAAP__\n",
            "PRI * HTTP/2.0\n\nSM\n\n",
            "ffffffffffffffff\n",
            "0\n\n",
            "Host: evil.example\n",
            "Cookie: ",
            "%00",
            "%zz",
            "%2e%2e/",
            "..",
            "?",
            "#",
            "://",
            "HTTP/9.9",
            "CONNECT ",
            "OPTIONS * ",
            "\0");

    private static List<byte[]> requests(String... texts) {
        var requests = new ArrayList<byte[]>();
        for (var text : texts) {
            requests.add(text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }
        return requests;
    }

    private record Bytes(Listeners listeners) implements Fuzz.Target {
        @Override
        public boolean play(byte[] input, RandomGenerator random) throws IOException {
            var kinds = Listeners.Kind.values();
            var answers = sent(kinds[random.nextInt(kinds.length)], input);
            if (!listeners.uncaught.isEmpty()) {
                throw new IllegalStateException("thrown and not caught", listeners.uncaught.peek());
            }
            if (!answers.isEmpty() && !ANSWER.matcher(answers).matches()
                    || DEFECT.matcher(answers).find()) {
                throw new IllegalStateException("replied with " + answers);
            }
            return !answers.isEmpty();
        }

        /** Sends an input and then the end of the stream, so that the listener waits for no more. */
        private String sent(Listeners.Kind kind, byte[] input) throws IOException {
            try (var socket = new Socket("127.0.0.1", listeners.port(kind))) {
                socket.setSoTimeout(TIMEOUT_MS);
                try {
                    socket.getOutputStream().write(input);
                    socket.shutdownOutput();
                    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                } catch (SocketException cutOff) {
                    // The connection was closed with unread bytes.
                    return "";
                }
            }
        }

        @Override
        public Object state() throws IOException {
            var answers = new ArrayList<String>();
            for (var kind : Listeners.Kind.values()) {
                var path = kind == Listeners.Kind.OPS ? "/livez" : "/none";
                answers.add(whole(
                        kind,
                        "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                + "Content-Length: 2\r\n\r\n{}"));
            }
            return answers;
        }

        private String whole(Listeners.Kind kind, String request) throws IOException {
            try (var socket = new Socket("127.0.0.1", listeners.port(kind))) {
                socket.setSoTimeout(TIMEOUT_MS);
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            }
        }
    }

    @Test
    void aConnectionIsAnsweredOrClosedAndNothingElse(Vertx vertx) throws Exception {
        var listeners = new Listeners(vertx, ListenerConfig.loopback(0));
        Fuzz.play("HTTP connections", 2, new Mutator(CORPUS, WORDS, BYTES_MAX), new Bytes(listeners));
        assertThat(listeners.requested)
                .as("requests to the ledger, where no pod has a VM")
                .hasValue(0);
        while (listeners.meters.find("sluice.gateway.connections").gauges().stream()
                        .mapToDouble(gauge -> gauge.value())
                        .sum()
                > 0) {
            Thread.onSpinWait();
        }
    }
}
