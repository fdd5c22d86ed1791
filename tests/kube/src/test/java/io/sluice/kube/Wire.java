package io.sluice.kube;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What lies between Sluice and the API server. Cut, it swallows what either side sends, without a word to them; mended,
 * it carries new connections. Those of before stay as they are: open on both sides, and dead.
 */
final class Wire implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final ServerSocket door;
    private final int target;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    /** One to a port of loopback, from a free port there. */
    Wire(int target) {
        this.target = target;
        try {
            door = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
        Thread.ofVirtual().start(this::admit);
    }

    int port() {
        return door.getLocalPort();
    }

    void cut() {
        cut = true;
        links.forEach(link -> link.dead = true);
    }

    void mend() {
        cut = false;
    }

    private void admit() {
        try {
            while (!door.isClosed()) {
                var near = door.accept();
                var link = new Link(near, new Socket(InetAddress.getLoopbackAddress(), target));
                link.dead = cut;
                links.add(link);
                Thread.ofVirtual().start(() -> carry(link, link.near, link.far));
                Thread.ofVirtual().start(() -> carry(link, link.far, link.near));
            }
        } catch (IOException closed) {
            close();
        }
    }

    private void carry(Link link, Socket from, Socket to) {
        var buffer = new byte[BUFFER_BYTES];
        try (from;
                to) {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                if (!link.dead) {
                    to.getOutputStream().write(buffer, 0, read);
                }
            }
        } catch (IOException ended) {
            links.remove(link);
        }
        links.remove(link);
    }

    @Override
    public void close() {
        try {
            door.close();
            for (var link : links) {
                link.near.close();
                link.far.close();
            }
        } catch (IOException unable) {
            throw new UncheckedIOException(unable);
        }
    }

    /** A connection, in both halves. */
    private static final class Link {
        private final Socket near;
        private final Socket far;
        private volatile boolean dead;

        Link(Socket near, Socket far) {
            this.near = near;
            this.far = far;
        }
    }
}
