package io.sluice.hostile;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A server with one defect, which counts the connections on which it received a request. */
final class OddServer implements AutoCloseable {
    private static final String BODY = "{}";
    private static final String ANSWER =
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n"
                    + BODY;
    private static final int HANDSHAKE = 22;
    private static final int APPLICATION_DATA = 23;
    private static final int TLS_1_1 = 0x0302;
    private static final int RANDOM_BYTES = 32;

    private final ServerSocket listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    private final AtomicInteger requests = new AtomicInteger();
    private final Script script;

    /** Handles a connection, from the first byte to the last. */
    private interface Script {
        void play(OddServer server, Socket socket) throws IOException;
    }

    private OddServer(Script script) throws IOException {
        this.script = script;
        Thread.ofVirtual().start(this::accept);
    }

    /** Uses TLS, and presents the certificate of the context. */
    static OddServer showing(SSLContext context) throws IOException {
        return new OddServer((server, socket) -> server.answerOverTls(socket, context));
    }

    /** Uses TLS 1.1, up to the point where a client has to refuse that. */
    static OddServer old() throws IOException {
        return new OddServer(OddServer::answerInOldTls);
    }

    /** Uses no TLS. */
    static OddServer plain() throws IOException {
        return new OddServer(OddServer::answerPlainly);
    }

    int port() {
        return listening.getLocalPort();
    }

    int requests() {
        return requests.get();
    }

    private void accept() {
        try {
            while (true) {
                var socket = listening.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            script.play(this, socket);
        } catch (IOException cutOff) {
            // This is expected.
        }
    }

    private void answerOverTls(Socket socket, SSLContext context) throws IOException {
        try (var secure = (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", port(), true)) {
            secure.setUseClientMode(false);
            secure.startHandshake();
            answer(secure.getInputStream(), secure.getOutputStream());
        }
    }

    private void answerPlainly(Socket socket) throws IOException {
        answer(socket.getInputStream(), socket.getOutputStream());
    }

    /** Replies by the first byte: a TLS hello begins with its record type, a request with a letter. */
    private void answer(InputStream in, OutputStream out) throws IOException {
        int first = in.read();
        if (first >= 'A' && first <= 'Z') {
            requests.incrementAndGet();
        }
        if (first >= 0) {
            out.write(ANSWER.getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    private void answerInOldTls(Socket socket) throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        record(in);
        var hello = ByteBuffer.allocate(4 + 2 + RANDOM_BYTES + 1 + 2 + 1);
        hello.putInt(2 << 24 | hello.capacity() - 4);
        hello.putShort((short) TLS_1_1).position(hello.position() + RANDOM_BYTES);
        hello.put((byte) 0).putShort((short) 0x002f).put((byte) 0);
        var record = ByteBuffer.allocate(5 + hello.capacity());
        record.put((byte) HANDSHAKE).putShort((short) TLS_1_1).putShort((short) hello.capacity());
        socket.getOutputStream().write(record.put(hello.array()).array());
        while (true) {
            if (record(in) == APPLICATION_DATA) {
                requests.incrementAndGet();
            }
        }
    }

    private static int record(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        in.readUnsignedShort();
        in.skipNBytes(in.readUnsignedShort());
        return kind;
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
