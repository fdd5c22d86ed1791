package io.sluice.launcher;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Finds a free port. */
final class FreePort {
    private static final int TRIES_MAX = 50;

    private FreePort() {}

    /**
     * The first free port from the given one on; the given one itself if none is found, so that its listener reports
     * why.
     */
    static int from(String host, int first) {
        for (int port = first; port < first + TRIES_MAX; port++) {
            if (isFree(host, port)) {
                return port;
            }
        }
        return first;
    }

    private static boolean isFree(String host, int port) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
