package io.sluice.cluster.roles;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/** Free ports of loopback, below the range of outgoing connections: none is taken while its process starts. */
public final class Ports {
    private static final int FIRST = 20_000;
    private static final int ROOM = 12_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 101 % ROOM));

    private Ports() {}

    /** A free port that was not returned before in this process. */
    public static int next() {
        for (int tried = 0; tried < ROOM; tried++) {
            int port = FIRST + NEXT.getAndIncrement() % ROOM;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no port from " + FIRST + " to " + (FIRST + ROOM) + " is free");
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
