package io.sluice.gateway.console;

import io.micrometer.core.instrument.Counter;
import io.sluice.bus.Bus;
import io.sluice.bus.Tap;
import io.sluice.gateway.core.console.TapFilter;
import io.sluice.gateway.listener.ShortReplies;
import io.sluice.messages.member.TapRequest;
import io.sluice.shell.LogKeys;
import io.sluice.shell.Shell;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets a few people at a time see what passes over the bus; without any of them nothing listens. */
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
        private List<RemoteTaps.RemoteTap> hearingsSaid = List.of();
        private EventStream stream;
        private boolean busy;
        private long droppedSaid;
        private Instant droppedSaidAt = Instant.EPOCH;

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
                .description("Messages that a tap let pass and had no room for, as its reader was too slow.")
                .register(shell.meters());
    }

    int size() {
        return readers.size();
    }

    void open(HttpServerRequest request) {
        if (readers.size() >= TAPS_MAX) {
            ShortReplies.error(request, 503, TAPS_MAX + " taps are open: close one");
            return;
        }
        var wanted = wanted(request.params());
        switch (TapFilter.of(wanted.vm(), wanted.node(), wanted.address(), wanted.kind())) {
            case TapFilter.Reading.Bad(var sentence) -> ShortReplies.error(request, 400, sentence);
            case TapFilter.Reading.Good(var filter) -> open(request, filter, wanted);
        }
    }

    private void open(HttpServerRequest request, TapFilter filter, TapRequest wanted) {
        var reader = new Reader(
                new TapStream(filter, names, shell.clock(), shell.peers().self().id()));
        try {
            reader.listening = bus.tap().listen(reader.messages::hear);
        } catch (IllegalStateException full) {
            ShortReplies.error(request, 503, full.getMessage());
            return;
        }
        reader.others = new RemoteTaps(bus, shell.peers(), wanted, texts -> heard(reader, texts));
        readers.add(reader);
        reader.stream = new EventStream(request, now(), () -> close(reader));
        LOG.atInfo()
                .addKeyValue(LogKeys.ENDPOINT, String.valueOf(request.remoteAddress()))
                .addKeyValue(LogKeys.COUNT, readers.size())
                .log("Somebody listens to the bus.");
    }

    /** What the other processes are asked first; no two readers of all processes have one name. */
    private TapRequest wanted(MultiMap query) {
        var listener = shell.peers().self().id() + "/" + ++opened;
        return new TapRequest(
                listener, 1, said(query, "vm"), said(query, "node"), said(query, "address"), said(query, "kind"));
    }

    private void heard(Reader reader, List<String> texts) {
        reader.stream.write(TapStream.events(texts), now());
    }

    private static String said(MultiMap query, String name) {
        var value = query.get(name);
        return value == null ? "" : value;
    }

    /** Writes what waits; to be called ten times a second. */
    void tick() {
        var now = now();
        for (var reader : List.copyOf(readers)) {
            if (!reader.busy && reader.stream.takes(now)) {
                sayDropped(reader, now);
                sayHearings(reader, now);
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

    private void sayDropped(Reader reader, Instant now) {
        var hearings = reader.others.hearings();
        long here = reader.messages.dropped();
        long total = dropped(reader);
        if (total > reader.droppedSaid
                && !reader.droppedSaidAt.plus(DROPPED_EVERY).isAfter(now)) {
            count(reader, total);
            reader.droppedSaidAt = now;
            Buffer said = JsonText.object(json -> {
                json.number("dropped", total);
                if (!shell.peers().alone()) {
                    json.object("members", members -> {
                        members.number(shell.peers().self().id(), here);
                        for (var each : hearings) {
                            members.number(each.id(), each.dropped());
                        }
                    });
                }
            });
            reader.stream.write(EventStream.event("dropped", said), now);
        }
    }

    /** Who is heard, whenever that changes: what is not shown may have happened where nobody hears it. */
    private void sayHearings(Reader reader, Instant now) {
        var hearings = reader.others.hearings().stream()
                .map(each -> new RemoteTaps.RemoteTap(each.id(), 0, each.gaps(), each.reason()))
                .toList();
        if (!hearings.equals(reader.hearingsSaid)) {
            reader.hearingsSaid = hearings;
            Buffer said = JsonText.object(json -> json.array(
                    "members",
                    hearings,
                    (to, each) -> to.open(member -> member.text("id", each.id())
                            .number("gaps", each.gaps())
                            .text("reason", each.reason()))));
            reader.stream.write(EventStream.event("members", said), now);
        }
    }

    private static long dropped(Reader reader) {
        return reader.messages.dropped()
                + reader.others.hearings().stream()
                        .mapToLong(RemoteTaps.RemoteTap::dropped)
                        .sum();
    }

    private void count(Reader reader, long total) {
        dropped.increment(total - reader.droppedSaid);
        reader.droppedSaid = total;
    }

    private void close(Reader reader) {
        reader.listening.close();
        count(reader, Math.max(reader.droppedSaid, dropped(reader)));
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
