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
 * The monitor's end of one recorded connection, with a port of its own: the first that dials it is played to, whoever
 * dials after that is hung up on and counted. Reads in threads of its own; all that is read is kept here in order.
 */
final class Line implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final String RANGE = "{\"min\":1,\"max\":1}";

    private final ServerSocket door;
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
        door = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    private void accept() {
        try (var first = door.accept()) {
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
                try (var again = door.accept()) {
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
            heard(raw.read());
        }
    }

    private synchronized void heard(Frame frame) {
        if (!frame.masked()) {
            complaints.add("a frame without a mask");
        }
        switch (frame.opcode()) {
            case RawConnection.TEXT -> said(frame.text());
            case RawConnection.CLOSE -> close = Optional.of(frame);
            case RawConnection.PONG -> {
                // An answer to a ping; ours owes it.
            }
            default -> complaints.add("a frame with opcode " + frame.opcode());
        }
        notifyAll();
    }

    private void said(String text) {
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

    /** Ours: even ids that grow, an object as content, and nothing but digits for memory. */
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

    /** A health check that waits for its answer. */
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

    /** Whether ours has ended TCP, or the player has. */
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
        door.close();
        synchronized (this) {
            if (connection.isPresent()) {
                connection.get().end();
            }
        }
    }
}
