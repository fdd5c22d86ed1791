package io.sluice.monitor;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.monitor.core.CloseReason;
import io.sluice.monitor.core.MessageRate;
import io.sluice.monitor.core.MonitorConfig;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.internal.http.WebSocketInternal;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens websockets to monitors. It sends nothing by itself, since a ping before the range of versions would end the
 * session. It accepts frames and messages of a bounded size only.
 */
final class WebSocketDialer {
    private static final Logger LOG = LoggerFactory.getLogger(WebSocketDialer.class);
    private static final int CLOSING_TIMEOUT_SECONDS = 2;
    private static final long CUT_AFTER_MS = 3000;

    /** Pings and fragments are not messages, but each costs an answer or a copy. */
    private static final long FRAMES_A_MESSAGE = 10;

    /** The limit also holds while a socket is being closed and its messages are ignored. */
    private static final long LARGEST_MESSAGES = 2;

    private final WebSocketClient client;
    private final Vertx vertx;
    private final InstantSource clock;
    private final long timeoutMs;
    private final long framesPerSecond;
    private final long bytesPerSecond;
    private final MonitorMetrics meters;

    WebSocketDialer(Vertx vertx, MonitorConfig config, InstantSource clock, MonitorMetrics meters) {
        this.vertx = vertx;
        this.clock = clock;
        this.meters = meters;
        this.framesPerSecond = FRAMES_A_MESSAGE * config.maxMessagesPerSecond();
        this.bytesPerSecond = LARGEST_MESSAGES * config.maxMessageSize();
        this.timeoutMs = config.connectionTimeout().toMillis();
        this.client = vertx.createWebSocketClient(new WebSocketClientOptions()
                .setMetricsName("monitors")
                .setMaxFrameSize(config.maxMessageSize())
                .setMaxMessageSize(config.maxMessageSize())
                .setMaxConnections(config.maxSessions())
                .setConnectTimeout((int) timeoutMs)
                .setClosingTimeout(CLOSING_TIMEOUT_SECONDS)
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true));
    }

    /**
     * Opens a websocket.
     *
     * @param received receives each text message
     * @param gone called once, with a reason, when an open socket cannot be used any more
     */
    Future<WebSocket> dial(Endpoint endpoint, Consumer<String> received, Consumer<String> gone) {
        var socket = client.webSocket();
        var watch = new SocketWatch(this, socket, gone, meters);
        var frames = new MessageRate(framesPerSecond, clock.instant());
        var bytes = new MessageRate(bytesPerSecond, clock.instant());
        socket.frameHandler(frame -> {
            boolean tooMuch = bytes.exceeds(frame.binaryData().length(), clock.instant());
            if (frames.exceeds(1, clock.instant()) || tooMuch) {
                watch.trouble("more than " + framesPerSecond + " frames or " + bytesPerSecond + " bytes in a second");
                cut(socket);
            }
        });
        socket.textMessageHandler(received::accept);
        socket.binaryMessageHandler(binary -> watch.trouble("the monitor sent a binary message"));
        socket.exceptionHandler(watch::thrown);
        socket.closeHandler(closed -> watch.closed());
        return socket.connect(new WebSocketConnectOptions()
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())
                        .setURI(endpoint.path())
                        .setAllowOriginHeader(false)
                        .setTimeout(timeoutMs))
                .onComplete(dialled -> {
                    if (dialled.failed() || dialled.result().isClosed()) {
                        watch.discount();
                    }
                });
    }

    /** Closes a websocket. A monitor that does not answer the close, or does not read it, is cut off. */
    void close(WebSocket socket, CloseReason why) {
        if (socket.isClosed()) {
            return;
        }
        vertx.setTimer(CUT_AFTER_MS, late -> cut(socket));
        socket.close((short) why.code(), why.reason())
                .onFailure(lost -> LOG.atDebug()
                        .addKeyValue(LogKeys.ERROR, words(lost))
                        .log("A socket to a monitor was gone before it could be closed."));
    }

    /** Ends TCP at once. The library itself would wait for ever until its close frame is read. */
    private static void cut(WebSocket socket) {
        if (!(socket instanceof WebSocketInternal open) || open.channelHandlerContext() == null) {
            return;
        }
        // Closes from the head of the pipeline, which an ended connection does not have. Further up, the library waits
        // until all is written.
        var head = open.channelHandlerContext().pipeline().firstContext();
        if (head != null) {
            head.close();
        }
    }

    Future<Void> close() {
        return client.close();
    }

    /** Why a socket ended. A monitor that ends TCP may cause a reset instead of an end; both mean the same. */
    static String ending(Throwable thrown, String otherwise) {
        boolean ended = thrown instanceof HttpClosedException || thrown instanceof IOException;
        return ended ? SocketWatch.ENDED : otherwise + words(thrown);
    }

    /** The message of a failure, without a stack trace, since the end of a monitor is an ordinary event. */
    static String words(Throwable thrown) {
        var message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message;
    }
}
