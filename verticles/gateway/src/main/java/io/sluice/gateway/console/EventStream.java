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
 * One answer that goes on: server-sent events to one reader. Whoever writes asks first whether the reader has taken
 * what was written before; one that takes nothing for long is hung up on.
 */
final class EventStream {
    /** Without anything to say, the reader hears that the stream lives. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(15);

    private static final Duration STUCK_MAX = Duration.ofSeconds(30);
    private static final Buffer COMMENT = Buffer.buffer(":\n\n");

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private Instant saidAt;
    private int inFlight;
    private Optional<Instant> stuckSince = Optional.empty();
    private boolean over;

    EventStream(HttpServerRequest request, Instant now, Runnable ended) {
        this.request = request;
        this.response = request.response();
        this.saidAt = now;
        response.closeHandler(closed -> {
            over = true;
            ended.run();
        });
        response.exceptionHandler(broken -> request.connection().close());
        response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream");
        // A proxy that collects answers before it hands them on would hold the stream back.
        response.putHeader("X-Accel-Buffering", "no");
        write(COMMENT, now);
    }

    /** An event as it stands in the stream; the JSON is in one line. */
    static Buffer event(String name, Buffer json) {
        return Buffer.buffer(json.length() + name.length() + 20)
                .appendBytes(("event: " + name + "\ndata: ").getBytes(StandardCharsets.UTF_8))
                .appendBuffer(json)
                .appendString("\n\n");
    }

    /**
     * Whether the reader is there and has taken what was written; hangs up on one that has not for long. The response's
     * own word for that is not asked: it says yes however much waits, where it was written in large pieces.
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
            saidAt = now;
            inFlight++;
            response.write(events).onComplete(taken -> inFlight--);
        }
    }

    /** Says that the stream lives, if nothing was said for a while. */
    void keepAlive(Instant now) {
        if (!over && !saidAt.plus(SIGN_OF_LIFE).isAfter(now)) {
            write(COMMENT, now);
        }
    }

    /** Ends the answer; the reader may ask again. */
    void end() {
        if (!over) {
            over = true;
            response.end();
        }
    }
}
