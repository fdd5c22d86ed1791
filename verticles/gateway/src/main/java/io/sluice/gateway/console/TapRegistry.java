package io.sluice.gateway.console;

import io.micrometer.core.instrument.Counter;
import io.sluice.bus.Bus;
import io.sluice.bus.Tap;
import io.sluice.gateway.core.console.TapFilter;
import io.sluice.messages.member.TapRequest;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the messages of the bus to a few users at a time; without readers nothing listens. */
final class TapRegistry {
    static final int TAPS_MAX = 4;
    private static final Logger LOG = LoggerFactory.getLogger(TapRegistry.class);
    private static final int AT_ONCE_MAX = 500;
    private static final Duration DROPPED_EVERY = Duration.ofSeconds(1);

    private final Vertx vertx;
    private final Shell shell;
    private final Bus bus;
    private final MemberNames names;
    private final Counter dropped;
    private final Set<Reader> readers = new LinkedHashSet<>();
    private long opened;

    /** One reader of the bus. */
    private static final class Reader {
        private final TapStream messages;
        private Tap.Closing listening = () -> {};
        private RemoteTaps others;
        private List<RemoteTaps.RemoteTap> tapsSent = List.of();
        private EventStream stream;
        private boolean busy;
        private long droppedSent;
        private Instant droppedSentAt = Instant.EPOCH;

        Reader(TapStream messages) {
            this.messages = messages;
        }
    }

    TapRegistry(Vertx vertx, Shell shell, Bus bus, MemberNames names) {
        this.vertx = vertx;
        this.shell = shell;
        this.bus = bus;
        this.names = names;
        dropped = Counter.builder("sluice.gateway.console.tap.dropped")
                .description("Messages that matched a tap and were dropped, as its reader was too slow.")
                .register(shell.meters());
    }

    int size() {
        return readers.size();
    }

    void open(RoutingContext context) {
        var request = context.request();
        if (readers.size() >= TAPS_MAX) {
            throw new HttpException(503, TAPS_MAX + " taps are open: close one");
        }
        var tap = wanted(request.params());
        switch (TapFilter.of(tap.vm(), tap.node(), tap.address(), tap.kind())) {
            case TapFilter.Reading.Bad(var sentence) -> throw new HttpException(400, sentence);
            case TapFilter.Reading.Good(var filter) -> open(request, filter, tap);
        }
    }

    private void open(HttpServerRequest request, TapFilter filter, TapRequest tap) {
        var reader = new Reader(
                new TapStream(filter, names, shell.clock(), shell.peers().self().id()));
        try {
            reader.listening = bus.tap().listen(reader.messages::receive);
        } catch (IllegalStateException full) {
            throw new HttpException(503, full.getMessage());
        }
        reader.others = new RemoteTaps(bus, shell.peers(), tap, texts -> received(reader, texts));
        readers.add(reader);
        reader.stream = new EventStream(request, now(), () -> close(reader));
        LOG.atInfo()
                .addKeyValue(LogKeys.ENDPOINT, String.valueOf(request.remoteAddress()))
                .addKeyValue(LogKeys.COUNT, readers.size())
                .log("A tap was opened.");
    }

    /** The first request to the other processes; the listener's name is unique among all readers of all processes. */
    private TapRequest wanted(MultiMap query) {
        var listener = shell.peers().self().id() + "/" + ++opened;
        return new TapRequest(
                listener,
                1,
                summary(query, "vm"),
                summary(query, "node"),
                summary(query, "address"),
                summary(query, "kind"));
    }

    private void received(Reader reader, List<String> texts) {
        reader.stream.write(TapStream.events(texts), now());
    }

    private static String summary(MultiMap query, String name) {
        var value = query.get(name);
        return value == null ? "" : value;
    }

    /** Writes the queued messages; to be called ten times a second. */
    void tick() {
        var now = now();
        for (var reader : List.copyOf(readers)) {
            if (!reader.busy && reader.stream.takes(now)) {
                sendDropped(reader, now);
                sendTaps(reader, now);
                reader.others.pull(now);
                if (reader.messages.isEmpty()) {
                    reader.stream.keepAlive(now);
                } else {
                    write(reader);
                }
            }
        }
    }

    private void write(Reader reader) {
        reader.busy = true;
        vertx.executeBlocking(() -> reader.messages.take(AT_ONCE_MAX), false)
                .onComplete(made -> reader.busy = false)
                .onFailure(failure -> LOG.atWarn()
                        .addKeyValue(LogKeys.ERROR, failure.toString())
                        .log("Messages could not be written to a tap."))
                .onSuccess(events -> reader.stream.write(events, now()));
    }

    private void sendDropped(Reader reader, Instant now) {
        var taps = reader.others.taps();
        long here = reader.messages.dropped();
        long total = dropped(reader);
        if (total > reader.droppedSent
                && !reader.droppedSentAt.plus(DROPPED_EVERY).isAfter(now)) {
            count(reader, total);
            reader.droppedSentAt = now;
            Buffer reported = JsonText.object(json -> {
                json.number("dropped", total);
                if (!shell.peers().alone()) {
                    json.object("members", fields -> {
                        fields.number(shell.peers().self().id(), here);
                        for (var each : taps) {
                            fields.number(each.id(), each.dropped());
                        }
                    });
                }
            });
            reader.stream.write(EventStream.event("dropped", reported), now);
        }
    }

    /**
     * Sends the list of processes that deliver messages, whenever it changes: a message that is missing may have been
     * in a process that does not deliver.
     */
    private void sendTaps(Reader reader, Instant now) {
        var taps = reader.others.taps().stream()
                .map(each -> new RemoteTaps.RemoteTap(each.id(), 0, each.gaps(), each.reason()))
                .toList();
        if (!taps.equals(reader.tapsSent)) {
            reader.tapsSent = taps;
            Buffer reported = JsonText.object(json -> json.array(
                    "members",
                    taps,
                    (to, each) -> to.open(member -> member.text("id", each.id())
                            .number("gaps", each.gaps())
                            .text("reason", each.reason()))));
            reader.stream.write(EventStream.event("members", reported), now);
        }
    }

    private static long dropped(Reader reader) {
        return reader.messages.dropped()
                + reader.others.taps().stream()
                        .mapToLong(RemoteTaps.RemoteTap::dropped)
                        .sum();
    }

    private void count(Reader reader, long total) {
        dropped.increment(total - reader.droppedSent);
        reader.droppedSent = total;
    }

    private void close(Reader reader) {
        reader.listening.close();
        count(reader, Math.max(reader.droppedSent, dropped(reader)));
        readers.remove(reader);
    }

    /** Ends all of them. */
    void close() {
        for (var reader : List.copyOf(readers)) {
            close(reader);
            reader.stream.end();
        }
    }

    private Instant now() {
        return shell.clock().instant();
    }
}
