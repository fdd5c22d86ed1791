package io.sluice.monitor;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.monitor.core.CloseReason;
import io.sluice.shell.LogKeys;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientWebSocket;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
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
     * @param gone is told once, in words, when an open socket is gone
     */
    Future<WebSocket> dial(Endpoint endpoint, Consumer<String> heard, Consumer<String> gone) {
        var socket = client.webSocket();
        var trouble = new Trouble();
        socket.textMessageHandler(heard::accept);
        socket.binaryMessageHandler(binary -> {
            trouble.note("the monitor sent a binary message");
            end(socket, new CloseReason(CloseReason.INTERNAL_ERROR, "binary message"));
        });
        socket.exceptionHandler(thrown -> trouble.note(words(thrown)));
        socket.closeHandler(closed -> gone.accept(trouble.words(socket)));
        return socket.connect(new WebSocketConnectOptions()
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .setURI(endpoint.path())
                .setAllowOriginHeader(false)
                .setTimeout(timeoutMs));
    }

    /** Closes one; what still comes from it goes nowhere. A monitor that does not answer the close is cut off. */
    void close(WebSocket socket, CloseReason why, VmId vm) {
        socket.closeHandler(null);
        socket.textMessageHandler(null);
        end(socket, why)
                .onFailure(lost -> LOG.atDebug()
                        .addKeyValue(LogKeys.VM, vm.label())
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

    private static Future<Void> end(WebSocket socket, CloseReason why) {
        return socket.close((short) why.code(), why.reason());
    }

    /** The first thing that went wrong with a socket. */
    private static final class Trouble {
        private String first = "";

        void note(String what) {
            if (first.isEmpty()) {
                first = what;
            }
        }

        String words(ClientWebSocket socket) {
            if (!first.isEmpty()) {
                return first;
            }
            var code = socket.closeStatusCode();
            if (code == null || code == NO_STATUS || code == ABNORMAL) {
                return "the monitor ended the connection";
            }
            return "the monitor closed with " + code + " " + socket.closeReason();
        }
    }
}
