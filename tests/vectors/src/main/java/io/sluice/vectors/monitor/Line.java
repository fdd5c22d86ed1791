package io.sluice.vectors.monitor;

import io.sluice.vectors.monitor.RawConnection.Frame;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The monitor's end of one recorded connection, with a port of its own. The first client that connects is played to;
 * later clients are disconnected and counted. It reads in threads of its own and stores all that it reads, in order.
 */
final class Line implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final String RANGE = "{\"min\":1,\"max\":1}";

    private final ServerSocket socket;
    private final Deque<Message> checks = new ArrayDeque<>();
    private final Deque<Message> resizes = new ArrayDeque<>();
    private final List<String> complaints = new ArrayList<>();
    private Optional<RawConnection> connection = Optional.empty();
    private Optional<String> head = Optional.empty();
    private Optional<Frame> close = Optional.empty();
    private boolean ranged;
    private boolean over;
    private long lastId;
    private int redials;

    Line() throws IOException {
        socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        try (var first = socket.accept()) {
            var raw = new RawConnection(first);
            Thread.ofVirtual().start(this::hangUpOnTheRest);
            read(raw);
        } catch (IOException ended) {
            finish();
        }
    }

    private void hangUpOnTheRest() {
        try {
            while (true) {
                try (var again = socket.accept()) {
                    count(again.getPort());
                }
            }
        } catch (IOException closed) {
            finishRedials();
        }
    }

    private void read(RawConnection raw) throws IOException {
        var text = raw.readHead();
        synchronized (this) {
            connection = Optional.of(raw);
            head = Optional.of(text);
            notifyAll();
        }
        while (true) {
            received(raw.read());
        }
    }

    private synchronized void received(Frame frame) {
        if (!frame.masked()) {
            complaints.add("a frame without a mask");
        }
        switch (frame.opcode()) {
            case RawConnection.TEXT -> reported(frame.text());
            case RawConnection.CLOSE -> close = Optional.of(frame);
            case RawConnection.PONG -> {
                // A pong, which Sluice must send.
            }
            default -> complaints.add("a frame with opcode " + frame.opcode());
        }
        notifyAll();
    }

    private void reported(String text) {
        if (!ranged) {
            ranged = true;
            if (!text.equals(RANGE)) {
                complaints.add("the range " + text);
            }
            return;
        }
        var message = Message.of(text);
        if (message.type().equals("InvalidMessage")) {
            return;
        }
        checkForm(message);
        if (message.isHealthCheck()) {
            checks.add(message);
        } else if (message.isResize()) {
            resizes.add(message);
        } else {
            complaints.add("the message " + text);
        }
    }

    /** Checks the form of Sluice's message: ids are even and grow, the content is an object, memory has only digits. */
    private void checkForm(Message message) {
        long id = message.json().path("id").asLong();
        boolean plain = !message.isResize() || message.isSize();
        if (id != lastId + 2 || !message.json().path("content").isObject() || !plain) {
            complaints.add("the message " + message.text() + " after id " + lastId);
        }
        lastId = id;
    }

    private synchronized void finish() {
        over = true;
        notifyAll();
    }

    private synchronized void finishRedials() {
        notifyAll();
    }

    private synchronized void count(int port) {
        redials += port > 0 ? 1 : 0;
        notifyAll();
    }

    synchronized Optional<String> head() {
        return head;
    }

    synchronized boolean ranged() {
        return ranged;
    }

    /** A health check that awaits its reply. */
    synchronized Optional<Message> check() {
        return Optional.ofNullable(checks.peek());
    }

    synchronized void checkAnswered() {
        checks.remove();
    }

    synchronized Optional<Message> takeResize() {
        return Optional.ofNullable(resizes.poll());
    }

    synchronized Optional<Frame> closed() {
        return close;
    }

    /** Whether Sluice or the player has ended TCP. */
    synchronized boolean over() {
        return over;
    }

    synchronized int redials() {
        return redials;
    }

    synchronized List<String> complaints() {
        return List.copyOf(complaints);
    }

    synchronized RawConnection connection() {
        return connection.orElseThrow();
    }

    synchronized boolean dialled() {
        return connection.isPresent();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        synchronized (this) {
            if (connection.isPresent()) {
                connection.get().end();
            }
        }
    }
}
