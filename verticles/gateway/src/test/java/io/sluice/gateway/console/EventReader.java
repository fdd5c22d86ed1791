package io.sluice.gateway.console;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Reads server-sent events over a bare connection; can wait before it begins. */
final class EventReader implements AutoCloseable {
    private static final int SMALL_WINDOW = 8 * 1024;

    final List<Event> events = new CopyOnWriteArrayList<>();
    private final Socket socket = new Socket();
    private final CountDownLatch begin = new CountDownLatch(1);
    private volatile String status = "";

    /** One event, unread. */
    record Event(String name, String text) {
        JsonNode json() {
            return ConsoleFixture.read(text);
        }
    }

    EventReader(int port, String path) {
        this(port, path, false);
    }

    private EventReader(int port, String path, boolean waits) {
        try {
            socket.setReceiveBufferSize(waits ? SMALL_WINDOW : 1 << 20);
            socket.connect(new InetSocketAddress("127.0.0.1", port));
            var requesting = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            socket.getOutputStream().write(requesting.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException refused) {
            throw new AssertionError(refused);
        }
        if (!waits) {
            begin.countDown();
        }
        Thread.ofVirtual().start(this::read);
    }

    /** A reader that reads nothing before it is started. */
    static EventReader waiting(int port, String path) {
        return new EventReader(port, path, true);
    }

    void begin() {
        begin.countDown();
    }

    /** The status line, once it has arrived. */
    String status() {
        return status;
    }

    List<Event> named(String name) {
        return events.stream().filter(event -> event.name().equals(name)).toList();
    }

    private void read() {
        try (var in = new BufferedReader(new InputStreamReader(new Unchunked(socket), StandardCharsets.UTF_8))) {
            begin.await();
            status = in.readLine();
            var name = "";
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("event: ")) {
                    name = line.substring("event: ".length());
                } else if (line.startsWith("data: ")) {
                    events.add(new Event(name, line.substring("data: ".length())));
                }
            }
        } catch (IOException | InterruptedException closed) {
            status = status + " closed";
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException already) {
            throw new AssertionError(already);
        }
    }
}
