package io.sluice.launcher.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two different free ports on loopback.
 *
 * @param member for members' own traffic
 * @param bus for the event bus
 */
public record FreePorts(int member, int bus) {
    private static final int FIRST = 15_000;
    private static final int ROOM = 15_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 89 % ROOM));

    static FreePorts found() {
        return new FreePorts(next(), next());
    }

    /**
     * A free port that was not returned before in this process. It is below those that the kernel gives to connections,
     * which could take it before it is needed.
     */
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
