package io.sluice.bench.measurement;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests over kept connections, one request at a time on each. A closed loop sends the next one after each
 * reply. An open one sends when a request is due, and measures from then, even if a connection is free only later.
 */
public final class HttpLoad implements AutoCloseable {
    private static final int LATENCIES_MAX = 2_000_000;
    private static final int ANSWER_MAX = 1 << 14;
    private static final long TIMEOUT_MS = 1_000;
    private static final long PAUSE_NANOS = 20_000;
    private static final byte[] OK = "200".getBytes(StandardCharsets.US_ASCII);

    private final byte[][] requests;
    private final Selector selector = Selector.open();
    private final Deque<Line> free = new ArrayDeque<>();
    private int next;
    private Latencies latencies = new Latencies(0);
    private long notOk;

    /** The result of a run. */
    public record Outcome(Latencies latencies, long notOk) {}

    public HttpLoad(int port, int connections, byte[][] requests) throws IOException {
        this.requests = requests;
        for (int i = 0; i < connections; i++) {
            var channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            var line = new Line(channel);
            channel.register(selector, SelectionKey.OP_READ, line);
            free.add(line);
        }
    }

    /**
     * One run, which ends with the reply to its last request.
     *
     * @param perSecond 0 for a closed loop
     */
    public Outcome run(Duration length, int perSecond) throws IOException {
        latencies = new Latencies(LATENCIES_MAX);
        notOk = 0;
        int lines = free.size();
        long begun = System.nanoTime();
        long end = begun + length.toNanos();
        long requested = 0;
        while (System.nanoTime() < end || free.size() < lines) {
            long now = System.nanoTime();
            if (now < end) {
                requested = perSecond == 0 ? requestAll(now, requested) : requestDue(begun, now, perSecond, requested);
            }
            if (perSecond == 0) {
                selector.select(this::read, TIMEOUT_MS);
            } else {
                selector.selectNow(this::read);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return new Outcome(latencies, notOk);
    }

    private long requestAll(long now, long requested) throws IOException {
        long count = requested;
        while (!free.isEmpty()) {
            free.poll().request(request(), now);
            count++;
        }
        return count;
    }

    private long requestDue(long begun, long now, int perSecond, long requested) throws IOException {
        long count = requested;
        while (!free.isEmpty()) {
            long due = begun + count * 1_000_000_000L / perSecond;
            if (due > now) {
                return count;
            }
            free.poll().request(request(), due);
            count++;
        }
        return count;
    }

    private byte[] request() {
        var request = requests[next];
        next = (next + 1) % requests.length;
        return request;
    }

    private void read(SelectionKey key) {
        var line = (Line) key.attachment();
        try {
            if (line.answered()) {
                latencies.add(System.nanoTime() - line.since);
                notOk += line.ok ? 0 : 1;
                line.in.clear();
                free.add(line);
            }
        } catch (IOException broken) {
            throw new IllegalStateException("a connection broke", broken);
        }
    }

    @Override
    public void close() throws IOException {
        for (var key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }

    /** One connection. */
    private static final class Line {
        private static final String LENGTH = "content-length: ";

        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocate(ANSWER_MAX);
        private long since;
        private boolean ok;

        Line(SocketChannel channel) {
            this.channel = channel;
        }

        void request(byte[] request, long countedFrom) throws IOException {
            since = countedFrom;
            var out = ByteBuffer.wrap(request);
            while (out.hasRemaining()) {
                channel.write(out);
            }
        }

        boolean answered() throws IOException {
            if (channel.read(in) < 0) {
                throw new IOException("the server closed the connection");
            }
            var bytes = in.array();
            int headEnd = endOfHead(bytes, in.position());
            if (headEnd < 0) {
                return false;
            }
            ok = bytes[9] == OK[0] && bytes[10] == OK[1] && bytes[11] == OK[2];
            return in.position() >= headEnd + length(bytes, headEnd);
        }

        private static int endOfHead(byte[] bytes, int end) {
            for (int i = 3; i < end; i++) {
                if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
                    return i + 1;
                }
            }
            return -1;
        }

        private static int length(byte[] bytes, int headEnd) {
            int matched = 0;
            for (int i = 0; i < headEnd; i++) {
                int lower = bytes[i] >= 'A' && bytes[i] <= 'Z' ? bytes[i] + 32 : bytes[i];
                matched = lower == LENGTH.charAt(matched) ? matched + 1 : 0;
                if (matched == LENGTH.length()) {
                    int length = 0;
                    for (int j = i + 1; bytes[j] >= '0' && bytes[j] <= '9'; j++) {
                        length = 10 * length + bytes[j] - '0';
                    }
                    return length;
                }
            }
            return 0;
        }
    }
}
