package io.sluice.lab.api;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.streams.WriteStream;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Sends one watch to its client, by websocket or as lines of an HTTP answer. Everything happens on its context. */
final class WatchStream {
    private static final int BUFFERED_MAX = 1 << 20;

    private final Context context;
    private final WriteStream<?> out;
    private final Consumer<String> write;
    private final BooleanSupplier closed;
    private boolean ended;
    private Runnable whenEnded = () -> {};

    private WatchStream(Vertx vertx, WriteStream<?> out, Consumer<String> write, BooleanSupplier closed) {
        this.context = vertx.getOrCreateContext();
        this.out = out;
        this.write = write;
        this.closed = closed;
    }

    static WatchStream of(Vertx vertx, ServerWebSocket socket) {
        socket.setWriteQueueMaxSize(BUFFERED_MAX);
        var stream = new WatchStream(vertx, socket, socket::writeTextMessage, socket::isClosed);
        socket.closeHandler(closed -> stream.gone());
        return stream;
    }

    static WatchStream of(Vertx vertx, HttpServerResponse response) {
        response.setChunked(true).putHeader("Content-Type", "application/json;stream=watch");
        response.setWriteQueueMaxSize(BUFFERED_MAX);
        // The headers are sent now, since the first change may come much later.
        response.writeHead();
        var stream = new WatchStream(vertx, response, line -> response.write(line + "\n"), response::closed);
        response.closeHandler(closed -> stream.gone());
        return stream;
    }

    /** @param action runs once, when this stream has ended, for whatever reason */
    void whenEnded(Runnable action) {
        whenEnded = action;
    }

    /** May be called from any thread; lines keep their order. */
    void line(String line) {
        context.runOnContext(ignored -> {
            // A stream is closed a little before its end is reported.
            if (ended || closed.getAsBoolean()) {
                return;
            }
            if (out.writeQueueFull()) {
                // The client reads too slowly; it may reconnect and continue at its last version.
                finish();
            } else {
                write.accept(line);
            }
        });
    }

    /** Ends the stream after all lines so far. May be called from any thread. */
    void end() {
        context.runOnContext(ignored -> finish());
    }

    private void finish() {
        if (!ended) {
            gone();
            out.end();
        }
    }

    private void gone() {
        if (!ended) {
            ended = true;
            whenEnded.run();
        }
    }
}
