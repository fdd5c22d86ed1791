package io.sluice.monitor;

import io.sluice.monitor.core.CloseReason;
import io.vertx.core.http.ClientWebSocket;
import java.util.function.Consumer;

/** Tells once that a socket is of no more use. Vert.x leaves one open over which too large a message came. */
final class SocketWatch {
    static final String ENDED = "the monitor ended the connection";

    private static final int NO_STATUS = 1005;
    private static final int ABNORMAL = 1006;

    private final WebSocketDialer dialler;
    private final ClientWebSocket socket;
    private final Consumer<String> gone;
    private final MonitorMetrics meters;
    private boolean told;
    private boolean counted = true;

    SocketWatch(WebSocketDialer dialler, ClientWebSocket socket, Consumer<String> gone, MonitorMetrics meters) {
        this.dialler = dialler;
        this.socket = socket;
        this.gone = gone;
        this.meters = meters;
        meters.sockets(1);
    }

    /** It is no more. */
    void discount() {
        meters.sockets(counted ? -1 : 0);
        counted = false;
    }

    void thrown(Throwable thrown) {
        trouble(WebSocketDialer.ending(thrown, ""));
    }

    void trouble(String what) {
        if (!told) {
            tell(what);
            dialler.close(socket, new CloseReason(CloseReason.INTERNAL_ERROR, what));
        }
    }

    void closed() {
        discount();
        if (!told) {
            var code = socket.closeStatusCode();
            boolean bare = code == null || code == NO_STATUS || code == ABNORMAL;
            tell(bare ? ENDED : "the monitor closed with " + code + " " + socket.closeReason());
        }
    }

    private void tell(String what) {
        told = true;
        gone.accept(what);
    }
}
