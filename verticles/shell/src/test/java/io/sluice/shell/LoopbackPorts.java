package io.sluice.shell;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports of loopback, below those that the kernel gives to connections, which could take one before it is needed.
 */
public final class LoopbackPorts {
    private static final int FIRST = 15_000;
    private static final int ROOM = 15_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 89 % ROOM));

    private LoopbackPorts() {}

    /** A free port that was not returned before in this process. */
    public static int next() {
        for (int tried = 0; tried < ROOM; tried++) {
            int port = FIRST + NEXT.getAndIncrement() % ROOM;
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // Try the next one.
            }
        }
        throw new IllegalStateException("no port from " + FIRST + " to " + (FIRST + ROOM) + " is free");
    }
}
