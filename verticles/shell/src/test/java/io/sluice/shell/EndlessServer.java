package io.sluice.shell;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A server that replies to every request with the same bytes repeatedly, until the client closes the connection or it
 * has sent {@link #ENDLESS} of them.
 */
public final class EndlessServer implements AutoCloseable {
    /** Many times the size of two sockets' buffers. */
    public static final long ENDLESS = 256L << 20;

    private final ServerSocket listening;
    private final byte[] head;
    private final byte[] more;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong most = new AtomicLong();

    /**
     * A response without an end.
     *
     * @param name what has no end
     * @param head sent once
     * @param more sent repeatedly; empty for a server that stops sending
     */
    public record Answer(String name, String head, String more) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Responses with a status, each without an end in another way. */
    public static Stream<Answer> answers(int status) {
        var start = "HTTP/1.1 " + status + " Whatever\r\n";
        var chunked = start + "transfer-encoding: chunked\r\n\r\n";
        var chunk = "2000\r\n" + "z".repeat(0x2000) + "\r\n";
        return Stream.of(
                new Answer("a body in chunks", chunked, chunk),
                new Answer("a body of a length", start + "content-length: 9000000000000000\r\n\r\n", chunk),
                new Answer("a body until the end", start + "\r\n", chunk),
                new Answer("headers", start, "x-more: y\r\n".repeat(99)),
                new Answer("one header", start + "x-more: ", "y".repeat(999)),
                new Answer("trailers", chunked + "0\r\n", "x-more: y\r\n".repeat(99)));
    }

    /** Listens from the constructor on, on loopback. */
    public EndlessServer(Answer answer) throws IOException {
        head = answer.head().getBytes(StandardCharsets.US_ASCII);
        more = answer.more().getBytes(StandardCharsets.US_ASCII);
        listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** The number of accepted connections. */
    public int connections() {
        return connections.get();
    }

    /** The number of connections that the client has not closed yet. */
    public int open() {
        return open.get();
    }

    /** The largest number of bytes that was sent on one connection. */
    public long mostSent() {
        return most.get();
    }

    private void accept() {
        try {
            while (true) {
                var socket = listening.accept();
                open.incrementAndGet();
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private void serve(Socket socket) {
        long sent = 0;
        try (socket) {
            socket.getInputStream().read();
            socket.getOutputStream().write(head);
            if (more.length == 0) {
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
            while (more.length > 0 && sent < ENDLESS) {
                socket.getOutputStream().write(more);
                sent += more.length;
                most.accumulateAndGet(sent, Math::max);
            }
        } catch (IOException cutOff) {
            // Expected: the client has closed the connection.
        } finally {
            open.decrementAndGet();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
