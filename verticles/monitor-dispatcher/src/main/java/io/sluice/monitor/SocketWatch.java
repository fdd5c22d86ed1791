package io.sluice.monitor;

import io.sluice.monitor.core.CloseReason;
import io.vertx.core.http.ClientWebSocket;
import java.util.function.Consumer;

/**
 * Reports once that a socket cannot be used any more. Vert.x leaves a socket open after a message that is too large.
 */
final class SocketWatch {
    static final String ENDED = "the monitor ended the connection";

    private static final int NO_STATUS = 1005;
    private static final int ABNORMAL = 1006;

    private final WebSocketDialer dialler;
    private final ClientWebSocket socket;
    private final Consumer<String> gone;
    private final MonitorMetrics meters;
    private boolean sent;
    private boolean counted = true;

    SocketWatch(WebSocketDialer dialler, ClientWebSocket socket, Consumer<String> gone, MonitorMetrics meters) {
        this.dialler = dialler;
        this.socket = socket;
        this.gone = gone;
        this.meters = meters;
        meters.sockets(1);
    }

    /** Counts the socket as closed. */
    void discount() {
        meters.sockets(counted ? -1 : 0);
        counted = false;
    }

    void thrown(Throwable thrown) {
        trouble(WebSocketDialer.ending(thrown, ""));
    }

    void trouble(String what) {
        if (!sent) {
            send(what);
            dialler.close(socket, new CloseReason(CloseReason.INTERNAL_ERROR, what));
        }
    }

    void closed() {
        discount();
        if (!sent) {
            var code = socket.closeStatusCode();
            boolean bare = code == null || code == NO_STATUS || code == ABNORMAL;
            send(bare ? ENDED : "the monitor closed with " + code + " " + socket.closeReason());
        }
    }

    private void send(String what) {
        sent = true;
        gone.accept(what);
    }
}
