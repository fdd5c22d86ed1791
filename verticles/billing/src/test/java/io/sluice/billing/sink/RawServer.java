package io.sluice.billing.sink;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server on this machine that does not behave like an HTTP server. */
final class RawServer implements AutoCloseable {
    private final ServerSocket listening;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Handles a connection, which is closed afterwards. */
    interface Manners {
        void with(Socket connection, CountDownLatch closed) throws Exception;
    }

    RawServer(Manners manners) throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.submit(() -> {
            while (true) {
                var connection = listening.accept();
                threads.submit(() -> {
                    try (connection) {
                        manners.with(connection, closed);
                    }
                    return null;
                });
            }
        });
    }

    /** Accepts connections and sends nothing. */
    static RawServer silent() throws IOException {
        return new RawServer((connection, closed) -> closed.await());
    }

    /** Reads a request up to the end of its headers, and sends that text. */
    static RawServer saying(String answer) throws IOException {
        return new RawServer((connection, closed) -> {
            readHeaders(connection);
            connection.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            connection.getOutputStream().flush();
        });
    }

    static void readHeaders(Socket connection) throws IOException {
        int matched = 0;
        while (matched < 4) {
            int read = connection.getInputStream().read();
            if (read < 0) {
                throw new IOException("closed by the client");
            }
            matched = read == "\r\n\r\n".charAt(matched) ? matched + 1 : read == '\r' ? 1 : 0;
        }
    }

    String url() {
        return "http://127.0.0.1:" + listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        listening.close();
        threads.shutdownNow();
        threads.close();
    }
}
