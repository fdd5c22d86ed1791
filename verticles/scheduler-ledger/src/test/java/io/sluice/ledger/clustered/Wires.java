package io.sluice.ledger.clustered;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The connections between members on loopback, which can be held up in each direction of each pair. Nothing then
 * arrives on existing connections, which do not end, and no new one is made. Each place has an address of its own, and
 * another one at which the others reach it.
 */
final class Wires implements AutoCloseable {
    private static final int CHUNK = 16 * 1024;

    private final List<Integer> ports;
    private final Set<Way> cut = new HashSet<>();
    private final List<ServerSocket> listening = new CopyOnWriteArrayList<>();
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();
    private boolean closed;

    private record Way(int from, int to) {}

    /** A connection between two places, made by {@code from}. */
    private record Line(int from, int to, Socket socket) {}

    Wires(List<Integer> ports) {
        this.ports = List.copyOf(ports);
    }

    /** The address on which the member of that place listens, and from which it connects. */
    String own(int place) {
        return "127.0.0." + (place + 1);
    }

    /** The address at which the others reach it. */
    String reached(int place) {
        return "127.0.1." + (place + 1) + ":" + ports.get(place);
    }

    /** Forwards connections to that place to the member there. */
    AutoCloseable open(int place) {
        try {
            var server = new ServerSocket();
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress("127.0.1." + (place + 1), ports.get(place)));
            listening.add(server);
            Thread.startVirtualThread(() -> accept(server, place));
            return server;
        } catch (IOException taken) {
            throw new UncheckedIOException(taken);
        }
    }

    /** Ends the connections of a member that has ended, also those that were held up. */
    void end(int place) {
        lines.stream()
                .filter(line -> line.from() == place || line.to() == place)
                .forEach(line -> end(line.socket()));
    }

    /** Holds up everything that the one sends to the other. */
    synchronized void cut(int from, int to) {
        cut.add(new Way(from, to));
    }

    /** Holds up everything between the two sides, in both directions. */
    void split(Set<Integer> one, Set<Integer> other) {
        one.forEach(from -> other.forEach(to -> {
            cut(from, to);
            cut(to, from);
        }));
    }

    /** Lets everything between these two arrive again. */
    synchronized void join(int one, int other) {
        cut.remove(new Way(one, other));
        cut.remove(new Way(other, one));
        notifyAll();
    }

    /** Lets everything arrive from now on, with what was held up. */
    synchronized void heal() {
        cut.clear();
        notifyAll();
    }

    private synchronized boolean isCut(int one, int other) {
        return cut.contains(new Way(one, other)) || cut.contains(new Way(other, one));
    }

    private synchronized void awaitOpen(int from, int to) throws InterruptedException {
        while (cut.contains(new Way(from, to)) && !closed) {
            wait();
        }
    }

    private void accept(ServerSocket server, int place) {
        try {
            while (true) {
                var from = server.accept();
                Thread.startVirtualThread(() -> connect(from, place));
            }
        } catch (IOException ended) {
            // The member is gone, or the test has ended.
        }
    }

    private void connect(Socket from, int place) {
        int source = placeOf(from.getInetAddress());
        var line = new Line(source, place, from);
        lines.add(line);
        try (from) {
            if (isCut(source, place)) {
                return;
            }
            try (var to = new Socket(own(place), ports.get(place))) {
                var back = Thread.startVirtualThread(() -> pump(to, from, place, source));
                pump(from, to, source, place);
                back.join();
            }
        } catch (IOException gone) {
            // The connection ends with this.
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            lines.remove(line);
        }
    }

    private static int placeOf(InetAddress own) {
        return own.getAddress()[3] - 1;
    }

    /** Forwards bytes until one side ends the connection; then it ends for both. */
    private void pump(Socket from, Socket to, int source, int target) {
        var chunk = new byte[CHUNK];
        try {
            for (int count = from.getInputStream().read(chunk);
                    count >= 0;
                    count = from.getInputStream().read(chunk)) {
                awaitOpen(source, target);
                to.getOutputStream().write(chunk, 0, count);
            }
        } catch (IOException gone) {
            // The other end is closed below.
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            end(from);
            end(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // It has ended.
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        listening.forEach(server -> {
            try {
                server.close();
            } catch (IOException gone) {
                // It has ended.
            }
        });
    }
}
