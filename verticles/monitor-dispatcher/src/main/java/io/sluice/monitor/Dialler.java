package io.sluice.monitor;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.monitor.core.CloseReason;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import java.io.IOException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens websockets to monitors. Sends nothing by itself, as a ping before our range would kill a session, and takes
 * frames and messages of a bounded size only.
 */
final class Dialler {
    private static final Logger LOG = LoggerFactory.getLogger(Dialler.class);
    private static final int CLOSING_TIMEOUT_SECONDS = 2;
    private static final int NO_STATUS = 1005;
    private static final int ABNORMAL = 1006;
    private static final String ENDED = "the monitor ended the connection";

    private final WebSocketClient client;
    private final long timeoutMs;

    Dialler(Vertx vertx, MonitorConfig config) {
        this.timeoutMs = config.connectionTimeout().toMillis();
        this.client = vertx.createWebSocketClient(new WebSocketClientOptions()
                .setMaxFrameSize(config.maxMessageBytes())
                .setMaxMessageSize(config.maxMessageBytes())
                .setMaxConnections(config.maxSessions())
                .setConnectTimeout((int) timeoutMs)
                .setClosingTimeout(CLOSING_TIMEOUT_SECONDS)
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true));
    }

    /**
     * Opens one.
     *
     * @param heard takes each text message
     * @param gone is told once, in words, when an open socket is of no more use
     */
    Future<WebSocket> dial(Endpoint endpoint, Consumer<String> heard, Consumer<String> gone) {
        var socket = client.webSocket();
        var watch = new Watch(socket, gone);
        socket.textMessageHandler(heard::accept);
        socket.binaryMessageHandler(binary -> watch.trouble("the monitor sent a binary message"));
        socket.exceptionHandler(watch::thrown);
        socket.closeHandler(closed -> watch.closed());
        return socket.connect(new WebSocketConnectOptions()
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .setURI(endpoint.path())
                .setAllowOriginHeader(false)
                .setTimeout(timeoutMs));
    }

    /** Closes one; a monitor that does not answer the close is cut off. */
    static void close(WebSocket socket, CloseReason why) {
        socket.close((short) why.code(), why.reason())
                .onFailure(lost -> LOG.atDebug()
                        .addKeyValue(LogKeys.ERROR, words(lost))
                        .log("A socket to a monitor was gone before it could be closed."));
    }

    Future<Void> close() {
        return client.close();
    }

    /** What went wrong, in a few words and without a trace: a monitor's end is an ordinary thing. */
    static String words(Throwable thrown) {
        var message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message;
    }

    /** Tells once that a socket is of no more use. Vert.x leaves one open over which too large a message came. */
    private static final class Watch {
        private final ClientWebSocket socket;
        private final Consumer<String> gone;
        private boolean told;

        Watch(ClientWebSocket socket, Consumer<String> gone) {
            this.socket = socket;
            this.gone = gone;
        }

        /** A monitor that ends TCP may leave a reset behind instead of an end; both mean the same. */
        void thrown(Throwable thrown) {
            boolean ended = thrown instanceof HttpClosedException || thrown instanceof IOException;
            trouble(ended ? ENDED : words(thrown));
        }

        void trouble(String what) {
            if (!told) {
                tell(what);
                close(socket, new CloseReason(CloseReason.INTERNAL_ERROR, what));
            }
        }

        void closed() {
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
}
