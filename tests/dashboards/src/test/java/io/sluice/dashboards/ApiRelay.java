package io.sluice.dashboards;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * A way to an API server that can go silent: connections stay open and are accepted, and nothing passes any more. One
 * fault at a time, for good.
 */
final class ApiRelay implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final String WATCH = "watch=";

    private enum Silence {
        NONE,
        WATCHES,
        ALL
    }

    private final ServerSocket server;
    private final URI to;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Silence silence = Silence.NONE;

    ApiRelay(URI to) throws IOException {
        this.to = to;
        this.server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** From now on nothing passes. */
    void freeze() {
        silence = Silence.ALL;
    }

    /** From now on nothing passes on connections that have had a watch. */
    void freezeWatches() {
        silence = Silence.WATCHES;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var near = server.accept();
                var far = new Socket(to.getHost(), to.getPort());
                open.add(near);
                open.add(far);
                new Connection(near, far).start();
            } catch (IOException ended) {
                // The relay is closed, or the server does not accept: the client sees that its connection is broken.
            }
        }
    }

    /** Two sockets, and a thread for each direction. */
    private final class Connection {
        private final Socket near;
        private final Socket far;
        private volatile boolean watches;

        Connection(Socket near, Socket far) {
            this.near = near;
            this.far = far;
        }

        void start() {
            Thread.ofVirtual().start(() -> copy(near, far, true));
            Thread.ofVirtual().start(() -> copy(far, near, false));
        }

        private void copy(Socket from, Socket into, boolean requests) {
            try (from;
                    into) {
                pass(from.getInputStream(), into.getOutputStream(), requests);
            } catch (IOException ended) {
                // The other direction ends with it, as both sockets are closed.
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } finally {
                open.remove(from);
            }
        }

        private void pass(InputStream from, OutputStream into, boolean requests)
                throws IOException, InterruptedException {
            var buffer = new byte[BUFFER];
            for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                if (requests && new String(buffer, 0, read, StandardCharsets.ISO_8859_1).contains(WATCH)) {
                    watches = true;
                }
                if (silence == Silence.ALL || silence == Silence.WATCHES && watches) {
                    closed.await();
                }
                into.write(buffer, 0, read);
                into.flush();
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        closed.countDown();
        for (var socket : open) {
            socket.close();
        }
    }
}
