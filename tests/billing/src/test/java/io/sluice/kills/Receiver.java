package io.sluice.kills;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.billing.wire.UnreadableEventException;
import io.sluice.billing.wire.UsageEvent;
import io.sluice.billing.wire.UsageEventJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Receives billing events by HTTP and keeps them all, with repetitions. It often fails, after or before it accepts
 * them.
 */
final class Receiver implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int FAILED = 500;
    private static final long HANG_MS = 1_500;
    private static final int PERCENT = 100;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Random random;
    private final List<UsageEvent> taken = new ArrayList<>();
    private final List<String> strange = new ArrayList<>();
    private CountDownLatch next = new CountDownLatch(1);
    private boolean moody = true;
    private int requests;

    /** How a request ends. */
    private enum Mood {
        /** Accepts the batch, and replies so. */
        FINE,
        /** Refuses the batch. */
        REFUSES,
        /** Accepts the batch, and replies with an error. */
        LIES,
        /** Accepts the batch, and does not reply before the sender's timeout. */
        HANGS,
        /** Accepts the batch, and cuts the connection. */
        CUTS
    }

    Receiver(long seed) throws IOException {
        random = new Random(seed);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/usage_events", this::take);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** From now on accepts everything at once. */
    synchronized void calm() {
        moody = false;
    }

    /** Waits for a request, and returns whether one arrived within that time. */
    boolean awaitRequest(long atMostMs) throws InterruptedException {
        CountDownLatch waited;
        synchronized (this) {
            next = new CountDownLatch(1);
            waited = next;
        }
        return waited.await(atMostMs, TimeUnit.MILLISECONDS);
    }

    /** Waits until the use of a window that began since then was received, and returns whether it was in time. */
    synchronized boolean awaitWindowSince(long since, long atMostMs) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMs);
        while (taken.stream().noneMatch(event -> Nanos.of(event.startTime()) >= since)) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }

    synchronized List<UsageEvent> taken() {
        return List.copyOf(taken);
    }

    /** Requests that could not be read. */
    synchronized List<String> strange() {
        return List.copyOf(strange);
    }

    synchronized int requests() {
        return requests;
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            answer(exchange, weigh(body));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(HttpExchange exchange, Mood mood) throws IOException, InterruptedException {
        switch (mood) {
            case FINE -> exchange.sendResponseHeaders(OK, -1);
            case REFUSES, LIES -> exchange.sendResponseHeaders(FAILED, -1);
            case HANGS -> closed.await(HANG_MS, TimeUnit.MILLISECONDS);
            case CUTS -> {}
        }
    }

    private synchronized Mood weigh(byte[] body) {
        requests++;
        next.countDown();
        var mood = mood();
        try {
            var events = events(JSON.readTree(body));
            if (mood != Mood.REFUSES) {
                taken.addAll(events);
                notifyAll();
            }
        } catch (IOException noEvents) {
            strange.add(noEvents.toString());
            return Mood.REFUSES;
        }
        return mood;
    }

    private Mood mood() {
        int dice = moody ? random.nextInt(PERCENT) : PERCENT;
        if (dice < 5) {
            return Mood.REFUSES;
        } else if (dice < 10) {
            return Mood.LIES;
        } else if (dice < 13) {
            return Mood.HANGS;
        }
        return dice < 18 ? Mood.CUTS : Mood.FINE;
    }

    private static List<UsageEvent> events(JsonNode batch) throws UnreadableEventException {
        var events = new ArrayList<UsageEvent>();
        for (var event : batch.path("events")) {
            events.add(UsageEventJson.read(event.toString()));
        }
        return events;
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.close();
    }
}
