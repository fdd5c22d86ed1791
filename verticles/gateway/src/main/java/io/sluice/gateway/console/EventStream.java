package io.sluice.gateway.console;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One reply that continues: server-sent events to one reader. Each writer first checks whether the reader has taken
 * what was written before; a reader that takes nothing for long is disconnected.
 */
final class EventStream {
    /** After this time without an event, a comment keeps the stream alive. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);

    private static final Duration STUCK_MAX = Duration.ofSeconds(30);
    private static final Buffer COMMENT = Buffer.buffer(":\n\n");

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private Instant sentAt;
    private int inFlight;
    private Optional<Instant> stuckSince = Optional.empty();
    private boolean over;

    EventStream(HttpServerRequest request, Instant now, Runnable ended) {
        this.request = request;
        this.response = request.response();
        this.sentAt = now;
        response.closeHandler(closed -> {
            over = true;
            ended.run();
        });
        response.exceptionHandler(broken -> request.connection().close());
        response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream");
        // A proxy that buffers replies would delay the stream.
        response.putHeader("X-Accel-Buffering", "no");
        write(COMMENT, now);
    }

    /** Returns an event in the format of the stream; the JSON is in one line. */
    static Buffer event(String name, Buffer json) {
        return Buffer.buffer(json.length() + name.length() + 20)
                .appendBytes(("event: " + name + "\ndata: ").getBytes(StandardCharsets.UTF_8))
                .appendBuffer(json)
                .appendString("\n\n");
    }

    /**
     * Returns whether the reader is connected and has taken what was written; disconnects one that has not for long.
     * The response's {@code writeQueueFull} is not used: it is false however much is queued, if it was written in large
     * pieces.
     */
    boolean takes(Instant now) {
        if (over) {
            return false;
        }
        if (inFlight == 0) {
            stuckSince = Optional.empty();
            return true;
        }
        stuckSince = stuckSince.or(() -> Optional.of(now));
        if (stuckSince.get().plus(STUCK_MAX).isBefore(now)) {
            request.connection().close();
        }
        return false;
    }

    void write(Buffer events, Instant now) {
        if (!over) {
            sentAt = now;
            inFlight++;
            response.write(events).onComplete(taken -> inFlight--);
        }
    }

    /** Sends a comment if nothing was sent for a while. */
    void keepAlive(Instant now) {
        if (!over && !sentAt.plus(SIGN_OF_LIFE).isAfter(now)) {
            write(COMMENT, now);
        }
    }

    /** Ends the reply; the reader may connect again. */
    void end() {
        if (!over) {
            over = true;
            response.end();
        }
    }
}
