package io.sluice.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Writes one request after the other to one connection, as fast as they are taken, and counts the replies. */
final class Flood implements AutoCloseable {
    private final Socket socket;
    private final Map<String, AtomicLong> answers = new ConcurrentHashMap<>();
    private final AtomicLong retryAfters = new AtomicLong();

    Flood(int port, String body) throws IOException {
        socket = new Socket("127.0.0.1", port);
        var request = ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
        Thread.ofVirtual().start(() -> write(request));
        Thread.ofVirtual().start(this::read);
    }

    /** How many replies of that status arrived; a 429 counts once all of its headers have arrived. */
    long answers(String status) {
        var count = answers.get(status);
        return count == null ? 0 : count.get();
    }

    long retryAfters() {
        return retryAfters.get();
    }

    private void write(byte[] request) {
        try {
            while (true) {
                socket.getOutputStream().write(request);
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void read() {
        try {
            var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            var status = "";
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                int at = line.indexOf("HTTP/1.1 ");
                if (at >= 0) {
                    status = line.substring(at + 9, at + 12);
                } else if (line.startsWith("retry-after:")) {
                    retryAfters.incrementAndGet();
                } else if (line.isEmpty()) {
                    answers.computeIfAbsent(status, unknown -> new AtomicLong()).incrementAndGet();
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
