package io.sluice.monitor;

import io.sluice.messages.cluster.Endpoint;
import io.sluice.monitor.core.CloseReason;
import io.sluice.monitor.core.MessageRate;
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
 * Opens websockets to monitors. Sends nothing by itself, as a ping before our range would kill a session, and takes
 * frames and messages of a bounded size only.
 */
final class WebSocketDialer {
    private static final Logger LOG = LoggerFactory.getLogger(WebSocketDialer.class);
    private static final int CLOSING_TIMEOUT_SECONDS = 2;
    private static final long CUT_AFTER_MS = 3000;

    /** Pings and fragments are no messages, but each costs an answer or a copy. */
    private static final long FRAMES_A_MESSAGE = 10;

    /** Also while a socket is being closed, when nobody listens any more. */
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
        this.bytesPerSecond = LARGEST_MESSAGES * config.maxMessageBytes();
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
        socket.textMessageHandler(heard::accept);
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

    /** Closes one; a monitor that does not answer the close, or does not even read it, is cut off. */
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

    /** Ends TCP at once. The library itself would wait for ever for a close frame of ours to be read. */
    private static void cut(WebSocket socket) {
        if (!(socket instanceof WebSocketInternal open) || open.channelHandlerContext() == null) {
            return;
        }
        // From the head of the pipeline, which an ended one lacks: further up, the library waits until all is written.
        var head = open.channelHandlerContext().pipeline().firstContext();
        if (head != null) {
            head.close();
        }
    }

    Future<Void> close() {
        return client.close();
    }

    /** Why a socket ended: a monitor that ends TCP may leave a reset behind instead of an end; both mean the same. */
    static String ending(Throwable thrown, String otherwise) {
        boolean ended = thrown instanceof HttpClosedException || thrown instanceof IOException;
        return ended ? SocketWatch.ENDED : otherwise + words(thrown);
    }

    /** What went wrong, in a few words and without a trace: a monitor's end is an ordinary thing. */
    static String words(Throwable thrown) {
        var message = thrown.getMessage();
        return message == null || message.isBlank() ? thrown.getClass().getSimpleName() : message;
    }
}
