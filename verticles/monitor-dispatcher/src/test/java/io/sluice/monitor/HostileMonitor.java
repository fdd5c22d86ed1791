package io.sluice.monitor;

import io.sluice.messages.cluster.Endpoint;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A monitor that violates the protocol: it writes bytes to a bare TCP connection, each connection in its own thread.
 */
final class HostileMonitor implements AutoCloseable {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;

    /** The actions on a connection, from the first byte to the last. */
    interface Script {
        void play(Wire wire) throws IOException, InterruptedException;
    }

    private final ServerSocket server;
    private final Script script;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();

    HostileMonitor(Script script) throws IOException {
        this.script = script;
        this.server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    Endpoint endpoint() {
        return new Endpoint("127.0.0.1", server.getLocalPort(), "/monitor");
    }

    int connections() {
        return connections.get();
    }

    /** Connections with a script that has not ended; most end when the other side ends TCP. */
    int open() {
        return open.get();
    }

    private void accept() {
        try {
            while (true) {
                var socket = server.accept();
                connections.incrementAndGet();
                open.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The server has ended and accepts no more connections.
            open.addAndGet(0);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            script.play(new Wire(socket));
        } catch (IOException | InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            open.decrementAndGet();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** One connection. */
    static final class Wire {
        private static final Pattern KEY = Pattern.compile("(?i)sec-websocket-key:\\s*(\\S+)");
        private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

        private final Socket socket;
        private final DataInputStream in;
        private final OutputStream out;
        private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

        Wire(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
            socket.setTcpNoDelay(true);
        }

        String head() throws IOException {
            var head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException();
                }
                head.write(next);
            }
            return head.toString(StandardCharsets.ISO_8859_1);
        }

        String upgradeAnswer(String head) {
            var key = KEY.matcher(head);
            if (!key.find()) {
                throw new IllegalArgumentException(head);
            }
            return "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
                    + "sec-websocket-accept: " + accept(key.group(1)) + "\r\n\r\n";
        }

        private static String accept(String key) {
            try {
                var digest = MessageDigest.getInstance("SHA-1");
                return Base64.getEncoder()
                        .encodeToString(digest.digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII)));
            } catch (NoSuchAlgorithmException everyJavaHasIt) {
                throw new IllegalStateException(everyJavaHasIt);
            }
        }

        void upgrade() throws IOException {
            raw(upgradeAnswer(head()));
        }

        /** Performs the handshake up to the version. */
        void shakeHands() throws IOException {
            upgrade();
            next();
            text("{\"version\":1}");
        }

        /** Continues up to the first answer, from which the session counts as connected. */
        void prove() throws IOException {
            shakeHands();
            answer(next("HealthCheck"));
        }

        void answer(String check) throws IOException {
            text("{\"type\":\"HealthCheck\",\"id\":" + ScriptedMonitor.id(check) + "}");
        }

        void raw(String text) throws IOException {
            raw(text.getBytes(StandardCharsets.UTF_8));
        }

        void raw(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        void text(String text) throws IOException {
            frame(true, TEXT, text.getBytes(StandardCharsets.UTF_8));
        }

        void frame(boolean last, int opcode, byte[] payload) throws IOException {
            raw(bytes(last, opcode, payload));
        }

        static byte[] bytes(boolean last, int opcode, byte[] payload) {
            var frame = ByteBuffer.allocate(payload.length + 10).put((byte) ((last ? 0x80 : 0) | opcode));
            if (payload.length < 126) {
                frame.put((byte) payload.length);
            } else if (payload.length <= 0xffff) {
                frame.put((byte) 126).putShort((short) payload.length);
            } else {
                frame.put((byte) 127).putLong(payload.length);
            }
            return Arrays.copyOf(frame.put(payload).array(), frame.position());
        }

        /** The payload of the next received frame, after its opcode if it is not text. */
        String next() throws IOException {
            int opcode = in.readUnsignedByte() & 0x0f;
            int length = in.readUnsignedByte() & 0x7f;
            length = length == 126 ? in.readUnsignedShort() : length;
            byte[] mask = in.readNBytes(4);
            byte[] payload = in.readNBytes(length);
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= mask[i % 4];
            }
            var text = new String(payload, StandardCharsets.UTF_8);
            if (opcode == CLOSE) {
                throw new EOFException(text);
            }
            var reported = opcode == TEXT ? text : opcode + " " + text;
            received.add(reported);
            return reported;
        }

        String next(String part) throws IOException {
            var text = next();
            while (!text.contains(part)) {
                text = next();
            }
            return text;
        }

        /** Answers correctly until the other side ends the connection. */
        void behave() throws IOException {
            while (true) {
                var text = next();
                if (text.contains("HealthCheck")) {
                    answer(text);
                } else if (text.contains("UpscaleNotification")) {
                    text("{\"type\":\"UpscaleConfirmation\",\"id\":" + ScriptedMonitor.id(text) + "}");
                }
            }
        }

        /** Reads and sends nothing, until the other side ends the connection. */
        void listen() throws IOException {
            in.transferTo(OutputStream.nullOutputStream());
        }

        void halfClose() throws IOException {
            socket.shutdownOutput();
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
