package io.sluice.gateway.console;

import io.sluice.gateway.core.console.Delta;
import io.sluice.gateway.core.console.FleetModel;
import io.sluice.gateway.core.console.FleetState;
import io.sluice.gateway.listener.ShortReplies;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live views of the fleet: each reader first gets all of it, then what changed, at each tick and only once it has
 * taken what was written before. Nothing waits for a slow reader: its next change simply holds more. Those that are at
 * the same mark share one text, which is made off the event loop.
 */
final class FleetStreams {
    static final int STREAMS_MAX = 32;
    private static final int FLEETS_AT_ONCE_MAX = 4;
    private static final Logger LOG = LoggerFactory.getLogger(FleetStreams.class);

    private final Vertx vertx;
    private final Shell shell;
    private final FleetModel book;
    private final ConsoleProcess process;
    private final Set<Reader> readers = new LinkedHashSet<>();
    private int fleetsAtOnce;

    /** One reader and how far it has come; without a mark it knows nothing. */
    private static final class Reader {
        private EventStream stream;
        private OptionalLong mark = OptionalLong.empty();
        private boolean busy;
    }

    /** What is to be written to some readers, and their mark after it. */
    private record Page(String event, JsonText.Content members, long mark) {}

    FleetStreams(Vertx vertx, Shell shell, FleetModel book, ConsoleProcess process) {
        this.vertx = vertx;
        this.shell = shell;
        this.book = book;
        this.process = process;
    }

    int size() {
        return readers.size();
    }

    /** Everything once. */
    void all(HttpServerRequest request) {
        if (fleetsAtOnce >= FLEETS_AT_ONCE_MAX) {
            ShortReplies.error(request, 503, "the fleet is being read by " + FLEETS_AT_ONCE_MAX + " others; ask again");
            return;
        }
        fleetsAtOnce++;
        var fleet = book.fleet(now());
        vertx.executeBlocking(() -> JsonText.object(FleetJson.of(fleet, process)), false)
                .onComplete(made -> fleetsAtOnce--)
                .onFailure(failure -> ShortReplies.error(request, 500, "the fleet could not be written down"))
                .onSuccess(json -> {
                    if (!request.response().closed()) {
                        request.response()
                                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                                .end(json);
                    }
                });
    }

    /** One reader more; it gets everything at the next tick, with whoever else came in the meantime. */
    void open(HttpServerRequest request) {
        if (readers.size() >= STREAMS_MAX) {
            ShortReplies.error(request, 503, STREAMS_MAX + " consoles are open: close one");
            return;
        }
        var reader = new Reader();
        readers.add(reader);
        reader.stream = new EventStream(request, now(), () -> readers.remove(reader));
    }

    /** Tells each reader what changed; to be called four times a second. */
    void tick() {
        var now = now();
        Map<OptionalLong, List<Reader>> ready = new HashMap<>();
        for (var reader : List.copyOf(readers)) {
            if (!reader.busy && reader.stream.takes(now)) {
                ready.computeIfAbsent(reader.mark, mark -> new ArrayList<>()).add(reader);
            }
        }
        ready.forEach((mark, together) -> tell(mark, together, now));
    }

    private void tell(OptionalLong mark, List<Reader> together, Instant now) {
        var delta = mark.isEmpty() ? null : book.since(mark.getAsLong(), now).orElse(null);
        if (delta == null) {
            write(book.fleet(now), together);
        } else if (delta.isEmpty()) {
            together.forEach(reader -> reader.stream.keepAlive(now));
        } else {
            write(delta, together);
        }
    }

    private void write(FleetState fleet, List<Reader> together) {
        write(new Page("fleet", FleetJson.of(fleet, process), fleet.mark()), together);
    }

    private void write(Delta delta, List<Reader> together) {
        write(new Page("delta", FleetJson.of(delta), delta.mark()), together);
    }

    private void write(Page page, List<Reader> together) {
        together.forEach(reader -> reader.busy = true);
        Future<Buffer> text =
                vertx.executeBlocking(() -> EventStream.event(page.event(), JsonText.object(page.members())), false);
        text.onComplete(made -> together.forEach(reader -> reader.busy = false))
                .onFailure(FleetStreams::failed)
                .onSuccess(events -> together.forEach(reader -> {
                    reader.stream.write(events, now());
                    reader.mark = OptionalLong.of(page.mark());
                }));
    }

    /** Their marks stand, so the next tick tries again. */
    private static void failed(Throwable failure) {
        LOG.atWarn().addKeyValue(LogKeys.ERROR, failure.toString()).log("A view of the fleet could not be written.");
    }

    /** Ends all streams. */
    void close() {
        List.copyOf(readers).forEach(reader -> reader.stream.end());
        readers.clear();
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
