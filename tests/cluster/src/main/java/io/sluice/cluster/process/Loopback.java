package io.sluice.cluster.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** All processes on 127.0.0.1, with ports of their own: needs no privileges, and cuts are not possible. */
public final class Loopback implements Ground {
    private static final String HOST = "127.0.0.1";
    private static final int PORTS_EACH = 4;

    private final List<Place> places = new ArrayList<>();

    /** Reserves ports for that many processes besides this one. */
    public Loopback(int processes) {
        var ports = freePorts((processes + 1) * PORTS_EACH);
        for (int i = 0; i <= processes; i++) {
            int at = i * PORTS_EACH;
            places.add(new Place(
                    i, HOST, ports.get(at), ports.get(at + 1), ports.get(at + 2), ports.get(at + 3), List.of()));
        }
    }

    private static List<Integer> freePorts(int count) {
        var sockets = new ArrayList<ServerSocket>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            var ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
            for (var socket : sockets) {
                socket.close();
            }
            return ports;
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
    }

    @Override
    public Place place(int number) {
        return places.get(number);
    }

    @Override
    public Place observer() {
        return places.getFirst();
    }

    @Override
    public Optional<String> undivided() {
        return Optional.of("processes on loopback cannot be cut off from each other");
    }

    @Override
    public void cut(Collection<Place> some, Collection<Place> others, Cut how) {
        throw new UnsupportedOperationException("loopback cannot be cut");
    }

    @Override
    public void heal() {
        // There are no cuts.
    }

    @Override
    public void close() {
        // There is nothing to remove.
    }
}
