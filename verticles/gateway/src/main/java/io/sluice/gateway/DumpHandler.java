package io.sluice.gateway;

import io.micrometer.core.instrument.Counter;
import io.sluice.gateway.door.Replies;
import io.sluice.shell.Shell;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/** Answers GET with the state of the process as JSON, sorted and streamed; one reader at a time. */
public final class DumpHandler implements Handler<HttpServerRequest> {
    private static final Duration PIECE_WITHIN = Duration.ofSeconds(5);
    private static final Duration ALL_WITHIN = Duration.ofMinutes(5);

    private final Vertx vertx;
    private final Shell shell;
    private final DumpShape shape;
    private final Duration pieceWithin;
    private boolean busy;

    DumpHandler(Vertx vertx, Shell shell, DumpShape shape, Duration pieceWithin) {
        this.vertx = Objects.requireNonNull(vertx, "vertx");
        this.shell = Objects.requireNonNull(shell, "shell");
        this.shape = shape;
        this.pieceWithin = pieceWithin;
    }

    /** Everything that the parts of the process offer: {@code {"<part>": {"<key>": ...}}}. For one event loop. */
    public static DumpHandler ofProcess(Vertx vertx, Shell shell) {
        return new DumpHandler(vertx, shell, DumpShape.PROCESS, PIECE_WITHIN);
    }

    /** What the agent offers, as agents have always shown it: {@code {"stopped": false, "pods": [...]}}. */
    public static DumpHandler ofAgent(Vertx vertx, Shell shell) {
        return new DumpHandler(vertx, shell, DumpShape.AGENT, PIECE_WITHIN);
    }

    @Override
    public void handle(HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.GET)) {
            request.response().putHeader(HttpHeaders.ALLOW, "GET");
            Replies.error(request, 405, "a dump is read with GET");
            return;
        }
        if (busy) {
            request.response().putHeader(HttpHeaders.RETRY_AFTER, "1");
            Replies.error(request, 503, "another dump is being read; one at a time");
            return;
        }
        busy = true;
        request.response().setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        new DumpStream(vertx, request, shape, pieceWithin).run(shape.parts(shell.dumps()), ALL_WITHIN, this::ended);
    }

    private void ended(String outcome) {
        busy = false;
        Counter.builder("sluice.gateway.dumps")
                .description("Dumps that were read: whole, or left or too late before their end.")
                .tag("shape", shape.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome)
                .register(shell.meters())
                .increment();
    }
}
