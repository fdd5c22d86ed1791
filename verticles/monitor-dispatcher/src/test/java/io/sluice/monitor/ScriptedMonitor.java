package io.sluice.monitor;

import io.sluice.messages.cluster.Endpoint;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.internal.http.WebSocketInternal;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;

/** A monitor with scripted behaviour, over a real websocket. By default it performs the handshake and is healthy. */
final class ScriptedMonitor {
    static final String VERSION = "{\"version\":1}";

    /** The reaction to a text on one of its connections. */
    interface Script extends BiConsumer<Line, String> {}

    /** One connection. */
    static final class Line {
        private final ServerWebSocket socket;

        Line(ServerWebSocket socket) {
            this.socket = socket;
        }

        void report(String text) {
            socket.writeTextMessage(text);
        }

        /** Ends TCP without a close frame, as real monitors do. */
        void cut() {
            ((WebSocketInternal) socket)
                    .channelHandlerContext()
                    .pipeline()
                    .firstContext()
                    .close();
        }

        void reportAndCut(String text) {
            socket.writeTextMessage(text).onComplete(sent -> cut());
        }
    }

    private final HttpServer server;
    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final int port;
    private volatile Script script = ScriptedMonitor::politely;

    ScriptedMonitor(Vertx vertx) {
        server = vertx.createHttpServer(new HttpServerOptions().setMaxWebSocketFrameSize(1 << 20));
        server.webSocketHandler(socket -> {
            var line = new Line(socket);
            lines.add(line);
            socket.frameHandler(frame -> {
                if (!frame.isText() && !frame.isClose()) {
                    received.add("a frame that is no text");
                }
            });
            socket.textMessageHandler(text -> {
                received.add(text);
                script.accept(line, text);
            });
            socket.closeHandler(
                    closed -> received.add("closed " + socket.closeStatusCode() + " " + socket.closeReason()));
        });
        port = server.listen(0, "127.0.0.1").await().actualPort();
    }

    Endpoint endpoint() {
        return new Endpoint("127.0.0.1", port, "/monitor");
    }

    void play(Script next) {
        script = next;
    }

    int connections() {
        return lines.size();
    }

    Line line() {
        return lines.getLast();
    }

    /** The next text that it received. */
    String next() throws InterruptedException {
        return received.take();
    }

    /** The next received text that contains this one. */
    String next(String part) throws InterruptedException {
        var text = next();
        while (!text.contains(part)) {
            text = next();
        }
        return text;
    }

    static void politely(Line line, String text) {
        if (text.contains("\"min\"")) {
            line.report(VERSION);
        } else if (text.contains("HealthCheck")) {
            line.report("{\"type\":\"HealthCheck\",\"id\":" + id(text) + "}");
        } else if (text.contains("UpscaleNotification")) {
            line.report("{\"type\":\"UpscaleConfirmation\",\"id\":" + id(text) + "}");
        } else if (text.contains("DownscaleRequest")) {
            line.report("{\"type\":\"DownscaleResult\",\"Ok\":true,\"Status\":\"fine\",\"id\":" + id(text) + "}");
        }
    }

    static String id(String text) {
        return text.substring(text.lastIndexOf(':') + 1, text.length() - 1);
    }
}
