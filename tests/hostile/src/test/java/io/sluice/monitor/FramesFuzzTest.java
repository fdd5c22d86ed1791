package io.sluice.monitor;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.hostile.Fuzz;
import io.sluice.hostile.Mutator;
import io.sluice.messages.cluster.Endpoint;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.monitor.core.ConnectionEvent;
import io.sluice.monitor.core.MonitorConfig;
import io.sluice.monitor.core.MonitorConnection;
import io.sluice.units.VmId;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Random bytes from a monitor after the upgrade, over a real socket to a monitor session that is made for each input:
 * the connection is closed, no socket and no timer remains, nothing is thrown.
 */
@Isolated("measures what the heap keeps")
@ExtendWith(VertxExtension.class)
class FramesFuzzTest {
    private static final int BYTES_MAX = 16 << 10;
    private static final int TIMEOUT_SECONDS = 60;
    private static final VmId VM = new VmId("neonvm", "default", "vm", "uid");
    private static final Pattern KEY = Pattern.compile("(?i)sec-websocket-key:\\s*(\\S+)");
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final byte[] VERSION = frame(0x81, "{\"version\":1}");
    private static final byte[] CHECK = frame(0x81, "{\"type\":\"HealthCheck\",\"id\":2}");
    private static final byte[] UPSCALE_REQUEST = frame(0x81, "{\"type\":\"UpscaleRequest\",\"id\":3}");
    private static final byte[] PING = frame(0x89, "ping");
    private static final List<byte[]> CORPUS = List.of(
            joined(VERSION, CHECK, UPSCALE_REQUEST, UPSCALE_REQUEST),
            joined(VERSION, PING, CHECK, frame(0x88, "\u0003\u00e8bye")),
            joined(VERSION, frame(0x01, "{\"type\":\"Health"), PING, frame(0x80, "Check\",\"id\":2}")),
            joined(VERSION, CHECK, frame(0x81, "{\"type\":\"Another\",\"id\":5,\"x\":\"" + "x".repeat(300) + "\"}")));
    private static final List<byte[]> WORDS = List.of(
            VERSION,
            CHECK,
            UPSCALE_REQUEST,
            PING,
            frame(0x8a, ""),
            frame(0x82, "binary"),
            frame(0x00, "more"),
            frame(0x88, ""),
            frame(0x88, "\u0003"),
            frame(0x88, "\u0000\u0001"),
            frame(0xc1, "compressed"),
            frame(0x83, "reserved"),
            new byte[] {(byte) 0x81, 127, (byte) 0xff, -1, -1, -1, -1, -1, -1, -1},
            new byte[] {(byte) 0x81, 126, -1, -1},
            new byte[] {(byte) 0x81, (byte) 0x81, 0, 0, 0, 0, 'x'});

    private static byte[] frame(int head, String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
        var frame = ByteBuffer.allocate(bytes.length + 4).put((byte) head);
        if (bytes.length < 126) {
            frame.put((byte) bytes.length);
        } else {
            frame.put((byte) 126).putShort((short) bytes.length);
        }
        return Arrays.copyOf(frame.put(bytes).array(), frame.position());
    }

    private static byte[] joined(byte[]... frames) {
        var joined = new ByteArrayOutputStream();
        for (var frame : frames) {
            joined.writeBytes(frame);
        }
        return joined.toByteArray();
    }

    /** A monitor that plays one input on each connection, and the monitor session with it. */
    private static final class Session implements Fuzz.Target, ConnectionDriver.Listener {
        private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
        private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
        private final Context context;
        private final ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        private final WebSocketDialer dialler;
        private final ConnectionDriver.Dependencies room;
        private boolean lived;
        private long played;

        Session(Vertx vertx) throws IOException {
            context = vertx.exceptionHandler(uncaught::add).getOrCreateContext();
            var config = MonitorConfig.DEFAULTS;
            var counted = new MonitorMetrics(meters);
            dialler = new WebSocketDialer(vertx, config, InstantSource.system(), counted);
            room = new ConnectionDriver.Dependencies(vertx, dialler, InstantSource.system(), counted, this);
        }

        @Override
        public boolean play(byte[] input, RandomGenerator random) throws Exception {
            var config = MonitorConfig.DEFAULTS;
            lived = false;
            var endpoint = new Endpoint("127.0.0.1", server.getLocalPort(), "/" + ++played);
            var driver = on(() -> {
                var link = new MonitorConnection(
                        VM, config, new Random(1), 0, InstantSource.system().instant());
                var made = new ConnectionDriver(room, VM, endpoint, link);
                made.handle(new ConnectionEvent.Requested());
                return made;
            });
            while (!isPlayed(endpoint.path(), input)) {
                // The client connected once more for the input before.
            }
            on(() -> {
                driver.handle(new ConnectionEvent.Unwanted("the input is over"));
                return driver;
            });
            if (!uncaught.isEmpty()) {
                throw new IllegalStateException("thrown and not caught", uncaught.peek());
            }
            return lived;
        }

        private boolean isPlayed(String path, byte[] input) throws IOException, GeneralSecurityException {
            try (var socket = server.accept()) {
                socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
                var head = head(socket);
                if (!head.startsWith("GET " + path + " ")) {
                    return false;
                }
                write(socket, head, input);
                return true;
            }
        }

        /** The client closes a connection that ended, or that it cannot use. */
        private static void write(Socket socket, String head, byte[] input)
                throws IOException, GeneralSecurityException {
            try {
                socket.getOutputStream().write(upgraded(head));
                socket.getOutputStream().write(input);
                socket.shutdownOutput();
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (SocketException cutOff) {
                // The client has closed it before all was written.
                socket.close();
            }
        }

        private static String head(Socket socket) throws IOException {
            var head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int next = socket.getInputStream().read();
                if (next < 0) {
                    return "";
                }
                head.write(next);
            }
            return head.toString(StandardCharsets.ISO_8859_1);
        }

        private static byte[] upgraded(String head) throws GeneralSecurityException {
            var key = KEY.matcher(head);
            if (!key.find()) {
                throw new IllegalArgumentException(head);
            }
            var digest = MessageDigest.getInstance("SHA-1")
                    .digest((key.group(1) + MAGIC).getBytes(StandardCharsets.US_ASCII));
            return ("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
                            + "sec-websocket-accept: " + Base64.getEncoder().encodeToString(digest) + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
        }

        private <T> T on(Supplier<T> action) throws Exception {
            var done = new CompletableFuture<T>();
            context.runOnContext(turn -> {
                try {
                    done.complete(action.get());
                } catch (RuntimeException thrown) {
                    done.completeExceptionally(thrown);
                }
            });
            return done.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }

        @Override
        public Object state() throws Exception {
            var gauges = new ArrayList<Double>();
            for (var name : List.of("connected", "sockets", "waiting", "timers")) {
                var gauge = meters.get("sluice.monitor." + name).gauge();
                while (gauge.value() > 0) {
                    on(() -> null);
                }
                gauges.add(gauge.value());
            }
            return gauges;
        }

        @Override
        public void announced(MonitorState state) {
            lived |= state.connected();
        }

        @Override
        public void upscaleRequested(VmId vm, long generation) {
            lived = true;
        }

        @Override
        public void over(ConnectionDriver driver) {}

        void close() throws Exception {
            server.close();
            dialler.close().await();
        }
    }

    @Test
    void framesAreTakenOrEndTheConnectionAndNothingElse(Vertx vertx) throws Exception {
        var session = new Session(vertx);
        try {
            Fuzz.play("monitor frames", 2, new Mutator(CORPUS, WORDS, BYTES_MAX), session);
        } finally {
            session.close();
        }
    }
}
