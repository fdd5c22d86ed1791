package io.sluice.gateway.console;

import io.sluice.gateway.core.console.FleetModel;
import io.sluice.gateway.core.console.fleet.Delta;
import io.sluice.gateway.core.console.fleet.FleetState;
import io.sluice.gateway.listener.Replies;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
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
 * The live views of the fleet: each reader first gets the whole fleet, then the changes, at each tick and only after it
 * has taken what was written before. Nothing is queued for a slow reader: its next delta contains more. Readers at the
 * same mark share one text, which is serialized off the event loop.
 */
final class FleetStreams {
    static final int STREAMS_MAX = 32;
    private static final int FLEETS_AT_ONCE_MAX = 4;
    private static final Logger LOG = LoggerFactory.getLogger(FleetStreams.class);

    private final Vertx vertx;
    private final Shell shell;
    private final FleetModel model;
    private final ConsoleProcess process;
    private final Set<Reader> readers = new LinkedHashSet<>();
    private int fleetsAtOnce;

    /** One reader and its mark; without a mark it has received nothing. */
    private static final class Reader {
        private EventStream stream;
        private OptionalLong mark = OptionalLong.empty();
        private boolean busy;
    }

    /** What is written to some readers, and their mark after it. */
    private record Page(String event, JsonText.Content fields, long mark) {}

    FleetStreams(Vertx vertx, Shell shell, FleetModel fleet, ConsoleProcess process) {
        this.vertx = vertx;
        this.shell = shell;
        this.model = fleet;
        this.process = process;
    }

    int size() {
        return readers.size();
    }

    /** Sends the whole fleet once. */
    void all(RoutingContext context) {
        if (fleetsAtOnce >= FLEETS_AT_ONCE_MAX) {
            throw new HttpException(
                    503, "the fleet is being read by " + FLEETS_AT_ONCE_MAX + " others; request it again");
        }
        fleetsAtOnce++;
        var fleet = model.fleet(now());
        vertx.executeBlocking(() -> JsonText.object(FleetJson.of(fleet, process)), false)
                .onComplete(made -> fleetsAtOnce--)
                .onFailure(context::fail)
                .onSuccess(json -> Replies.json(context, 200, json));
    }

    /** Adds a reader; it gets the whole fleet at the next tick, together with other new readers. */
    void open(RoutingContext context) {
        if (readers.size() >= STREAMS_MAX) {
            throw new HttpException(503, STREAMS_MAX + " consoles are open: close one");
        }
        var reader = new Reader();
        readers.add(reader);
        reader.stream = new EventStream(context.request(), now(), () -> readers.remove(reader));
    }

    /** Sends each reader its changes; to be called four times a second. */
    void tick() {
        var now = now();
        Map<OptionalLong, List<Reader>> ready = new HashMap<>();
        for (var reader : List.copyOf(readers)) {
            if (!reader.busy && reader.stream.takes(now)) {
                ready.computeIfAbsent(reader.mark, mark -> new ArrayList<>()).add(reader);
            }
        }
        ready.forEach((mark, together) -> send(mark, together, now));
    }

    private void send(OptionalLong mark, List<Reader> together, Instant now) {
        var delta = mark.isEmpty() ? null : model.since(mark.getAsLong(), now).orElse(null);
        if (delta == null) {
            write(model.fleet(now), together);
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
                vertx.executeBlocking(() -> EventStream.event(page.event(), JsonText.object(page.fields())), false);
        text.onComplete(made -> together.forEach(reader -> reader.busy = false))
                .onFailure(FleetStreams::failed)
                .onSuccess(events -> together.forEach(reader -> {
                    reader.stream.write(events, now());
                    reader.mark = OptionalLong.of(page.mark());
                }));
    }

    /** The readers keep their marks, so the next tick tries again. */
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
