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

/** Takes billing events by HTTP and keeps them all, repeats too; often it answers badly, and has taken them or not. */
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
        /** Taken, and said so. */
        FINE,
        /** Not taken. */
        REFUSES,
        /** Taken, but said not to be. */
        LIES,
        /** Taken, and no answer within the sender's patience. */
        HANGS,
        /** Taken, and the connection is cut. */
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

    /** From now on all is taken at once. */
    synchronized void calm() {
        moody = false;
    }

    /** Whether a request came within that time; waits for it. */
    boolean awaitRequest(long atMostMs) throws InterruptedException {
        CountDownLatch waited;
        synchronized (this) {
            next = new CountDownLatch(1);
            waited = next;
        }
        return waited.await(atMostMs, TimeUnit.MILLISECONDS);
    }

    synchronized List<UsageEvent> taken() {
        return List.copyOf(taken);
    }

    /** What was not as it should be. */
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
            }
        } catch (IOException | UnreadableEventException noEvents) {
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
