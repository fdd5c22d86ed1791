package io.sluice.gateway.console;

import io.sluice.bus.Tap;
import io.sluice.gateway.core.console.TapFilter;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One tap of the bus: it queues messages that match its filter until they are taken, and counts those that it has no
 * room for. {@code receive} may be called on any thread; everything else is for one.
 */
final class TapStream {
    /** How many messages may be queued. */
    static final int QUEUE_MAX = 1_000;

    private final TapFilter filter;
    private final MemberNames names;
    private final InstantSource clock;
    private final String process;
    private final Queue<Received> queue = new ArrayBlockingQueue<>(QUEUE_MAX);
    private final AtomicLong dropped = new AtomicLong();

    /** A message with the time at which it was received. */
    private record Received(Instant at, Tap.Passage passage) {}

    /** @param process the id with which messages are marked; empty for a process that is alone */
    TapStream(TapFilter filter, MemberNames names, InstantSource clock, String process) {
        this.filter = filter;
        this.names = names;
        this.clock = clock;
        this.process = process;
    }

    /** Decides at once and reads no more of a message than the filter needs. */
    void receive(Tap.Passage passage) {
        if (!filter.passes(passage.address(), word(passage.kind()))) {
            return;
        }
        if (filter.filtersBySubject()) {
            var about = MessageSubject.of(passage, names);
            if (!filter.passesSubject(about.vm(), about.node())) {
                return;
            }
        }
        if (!queue.offer(new Received(clock.instant(), passage))) {
            dropped.incrementAndGet();
        }
    }

    /** How many messages were dropped so far. */
    long dropped() {
        return dropped.get();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Takes the oldest messages, as events; at most so many. To be called off the event loop. */
    Buffer take(int max) {
        return events(texts(max, Integer.MAX_VALUE));
    }

    /** Returns messages in the format of the stream. */
    static Buffer events(List<String> texts) {
        var events = Buffer.buffer();
        texts.forEach(text -> events.appendBuffer(EventStream.event("message", Buffer.buffer(text))));
        return events;
    }

    /**
     * Takes the oldest messages as JSON; at most so many, and no more once they have so many characters. To be called
     * off the event loop.
     */
    List<String> texts(int max, int charactersMax) {
        List<String> taken = new ArrayList<>();
        int characters = 0;
        while (taken.size() < max && characters < charactersMax && !queue.isEmpty()) {
            var received = queue.remove();
            taken.add(JsonText.object(json -> write(json, received)).toString());
            characters += taken.getLast().length();
        }
        return taken;
    }

    private void write(JsonText json, Received received) throws IOException {
        var passage = received.passage();
        var about = MessageSubject.of(passage, names);
        if (!process.isEmpty()) {
            json.text("process", process);
        }
        json.time("at", received.at())
                .text("address", passage.address())
                .text("kind", word(passage.kind()))
                .text("direction", passage.direction().name().toLowerCase(Locale.ROOT))
                .number("bytes", bytes(passage))
                .number("latencyMicros", passage.latencyNanos().map(nanos -> nanos / 1_000))
                .text("vm", about.vm())
                .text("node", about.node())
                .object("failed", passage.failure(), (out, failure) -> out.out().writeString(failure))
                .object("body", passage.message(), MessageJson::readable);
    }

    /** A message that is too large has no encoded size; its requester gets the error, so this does not fail. */
    private static int bytes(Tap.Passage passage) {
        try {
            return passage.bytes();
        } catch (IllegalArgumentException unwritable) {
            return 0;
        }
    }

    private static String word(Tap.Kind kind) {
        return switch (kind) {
            case REQUEST -> "request";
            case REPLY -> "reply";
            case EVENT -> "event";
        };
    }
}
