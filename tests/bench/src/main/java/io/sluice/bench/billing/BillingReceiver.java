package io.sluice.bench.billing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * Receives batches of events and writes them to a file, one a line, which is read after the measurement; or replies
 * 503.
 */
final class BillingReceiver implements AutoCloseable {
    private static final int TAKEN = 200;
    private static final int DOWN = 503;

    private final HttpServer server;
    private final OutputStream batches;
    private boolean up = true;
    private CountDownLatch first = new CountDownLatch(1);
    private long firstNanos;
    private long refused;

    BillingReceiver(Path file) throws IOException {
        batches = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/usage_events", this::take);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    synchronized void goesDown() {
        up = false;
    }

    /** Switches replies to success; returns when the next batch arrived, as {@link System#nanoTime}. */
    long comesUp() throws InterruptedException {
        CountDownLatch next;
        synchronized (this) {
            up = true;
            next = first = new CountDownLatch(1);
        }
        next.await();
        return firstNanos;
    }

    /** Number of replies with 503. */
    synchronized long refused() {
        return refused;
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(keep(body) ? TAKEN : DOWN, -1);
        }
    }

    private synchronized boolean keep(byte[] body) throws IOException {
        if (!up) {
            refused++;
            return false;
        }
        batches.write(body);
        batches.write('\n');
        if (first.getCount() > 0) {
            firstNanos = System.nanoTime();
            first.countDown();
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        server.stop(0);
        batches.close();
    }
}
