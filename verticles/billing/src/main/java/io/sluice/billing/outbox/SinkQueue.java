package io.sluice.billing.outbox;

import io.sluice.billing.outbox.file.CheckedMap;
import io.sluice.billing.outbox.file.StoreFile;
import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.QueueId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One queue of the outbox: the events of its open batch, and its closed batches. Holds counts of both in memory, no
 * bodies.
 */
final class SinkQueue {
    private final QueueSpec queue;
    private final RandomGenerator random;
    private final CheckedMap<Long> open;
    private final CheckedMap<Long> shut;
    private final QueueCounts.Tally opened;
    private final QueueCounts.Tally closed;
    private WriteResult.Loss lost = new WriteResult.Loss(0, 0);
    private long quarantined;

    SinkQueue(QueueSpec queue, StoreFile file, QueueCounts inventory, RandomGenerator random) {
        this.queue = queue;
        this.random = random;
        var label = queue.id().label();
        open = file.numbers(QueueCounts.open(label));
        shut = file.numbers(QueueCounts.shut(label));
        opened = inventory.tally(QueueCounts.open(label));
        closed = inventory.tally(QueueCounts.shut(label));
    }

    QueueId id() {
        return queue.id();
    }

    /** The state that must outlive the queue's entries: numbers are not used twice, and losses stay counted. */
    byte[] state() {
        return ByteBuffer.allocate(5 * Long.BYTES)
                .putLong(opened.lastKey())
                .putLong(closed.lastKey())
                .putLong(lost.events())
                .putLong(lost.batches())
                .putLong(quarantined)
                .array();
    }

    void restore(byte[] state) {
        var in = ByteBuffer.wrap(state);
        opened.goOnAfter(in.getLong());
        closed.goOnAfter(in.getLong());
        lost = new WriteResult.Loss(in.getLong(), in.getLong());
        quarantined = in.getLong();
    }

    void quarantined(long entries) {
        quarantined += entries;
    }

    static long cost(List<byte[]> events, Instant now) {
        return events.stream()
                .mapToLong(event -> CheckedMap.cost(new StoreRecords.Event(now, event).bytes()))
                .sum();
    }

    /** Returns why this many more bytes are refused; empty if they are accepted. */
    Optional<String> blocked(long more, Instant now) {
        return switch (queue.limit().overflow()) {
            case BLOCK -> full(more, now);
            case DROP_OLDEST -> Optional.empty();
        };
    }

    private Optional<String> full(long more, Instant now) {
        long bytes = bytes();
        if (bytes > 0 && bytes + more > queue.limit().maxBytes()) {
            return Optional.of(bytes + " bytes wait, and " + more + " more would exceed "
                    + queue.limit().maxBytes());
        }
        return closed.since()
                .filter(since -> tooOld(since, now))
                .map(since -> "its oldest batch has waited since " + since + ", longer than "
                        + queue.limit().maxAge());
    }

    private boolean tooOld(Instant since, Instant now) {
        return Duration.between(since, now).compareTo(queue.limit().maxAge()) > 0;
    }

    /** Drops the oldest batches until there is room for that many bytes. */
    WriteResult.Loss makeRoom(long more, Instant now) {
        var dropped = new WriteResult.Loss(0, 0);
        while (full(more, now).isPresent()) {
            if (closed.entries() == 0) {
                closeOpen(now);
            }
            dropped = dropped.plus(new WriteResult.Loss(removeHead(), 1));
        }
        lost = lost.plus(dropped);
        return dropped;
    }

    /** Adds events, and closes each batch that becomes full. */
    void append(List<byte[]> events, Instant now) {
        for (var event : events) {
            var value = new StoreRecords.Event(now, event).bytes();
            long key = opened.lastKey() + 1;
            open.put(key, value);
            opened.add(key, value, 1, now);
            if (opened.entries() >= queue.maxBatchSize()) {
                closeOpen(now);
            }
        }
    }

    /** Makes a batch of the events that are in none; it never changes after that. */
    boolean closeOpen(Instant now) {
        if (opened.entries() == 0) {
            return false;
        }
        var events = new ArrayList<byte[]>();
        open.forEach((key, value) -> events.add(StoreRecords.Event.of(value).json()));
        var since = opened.since().orElse(now);
        var name = queue.names().name(now, ShortUuid.next(random));
        var batch = new StoreRecords.Closed(now, since, events.size(), name, BatchBody.of(queue.form(), events));
        var value = batch.bytes();
        long id = closed.lastKey() + 1;
        shut.put(id, value);
        closed.add(id, value, events.size(), since);
        open.clear();
        opened.clear();
        return true;
    }

    Optional<Batch> head() {
        return shut.firstKey().flatMap(id -> shut.get(id).map(value -> batch(id, StoreRecords.Closed.of(value))));
    }

    private Batch batch(long id, StoreRecords.Closed it) {
        return new Batch(queue.id(), id, it.name(), it.closedAt(), it.events(), it.body());
    }

    /** Removes a batch, if it is still the first. */
    boolean taken(long id) {
        boolean first = shut.firstKey().filter(key -> key == id).isPresent();
        if (first) {
            removeHead();
        }
        return first;
    }

    private int removeHead() {
        long id = shut.firstKey().orElseThrow();
        var value = shut.get(id).orElseThrow();
        int events = StoreRecords.Closed.of(value).events();
        shut.remove(id);
        var next = shut.firstKey()
                .flatMap(shut::get)
                .map(bytes -> StoreRecords.Closed.of(bytes).openedAt());
        closed.remove(value, events, next);
        return events;
    }

    private long bytes() {
        return opened.bytes() + closed.bytes();
    }

    QueueView view() {
        return new QueueView(
                opened.entries(),
                closed.entries(),
                closed.events(),
                bytes(),
                closed.since().or(opened::since),
                lost,
                quarantined);
    }
}
