package io.sluice.kube.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connection between Sluice and the API server. While it is cut, it drops what either side sends and leaves the
 * connections open. Once healed, it carries new connections; the earlier ones stay open and carry nothing.
 */
public final class Wire implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final ServerSocket socket;
    private final int target;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    /** A connection to a port of loopback, from a free port there. */
    public Wire(int target) {
        this.target = target;
        try {
            socket = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
        Thread.ofVirtual().start(this::admit);
    }

    public int port() {
        return socket.getLocalPort();
    }

    public void cut() {
        cut = true;
        links.forEach(link -> link.dead = true);
    }

    public void mend() {
        cut = false;
    }

    /** Closes all connections; new ones are carried as before. */
    public void closeAll() {
        for (var link : links) {
            link.close();
        }
    }

    private void admit() {
        try {
            while (!socket.isClosed()) {
                connect(socket.accept());
            }
        } catch (IOException closed) {
            close();
        }
    }

    private void connect(Socket near) throws IOException {
        Link link;
        try {
            link = new Link(near, new Socket(InetAddress.getLoopbackAddress(), target));
        } catch (ConnectException nothingListens) {
            near.close();
            return;
        }
        link.dead = cut;
        links.add(link);
        Thread.ofVirtual().start(() -> carry(link, link.near, link.far));
        Thread.ofVirtual().start(() -> carry(link, link.far, link.near));
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
            socket.close();
        } catch (IOException unable) {
            throw new UncheckedIOException(unable);
        }
        closeAll();
    }

    /** One TCP connection, with both its halves. */
    private static final class Link {
        private final Socket near;
        private final Socket far;
        private volatile boolean dead;

        Link(Socket near, Socket far) {
            this.near = near;
            this.far = far;
        }

        void close() {
            try {
                near.close();
                far.close();
            } catch (IOException unable) {
                throw new UncheckedIOException(unable);
            }
        }
    }
}
