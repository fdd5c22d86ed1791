package io.sluice.billing.outbox;

import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.QueueId;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The contents of an open file, and the changes to it, one transaction each. Not thread-safe.
 *
 * <p>An item is an event of an open batch, or a closed batch. Items of a queue are sent in the order of their ids. An
 * entry is a value with a name: a checkpoint, the number of a source's last write, or what a queue has lost.
 */
final class OutboxStore {
    /** What an item costs beside its body: the other columns, and the index. */
    static final long ITEM_BYTES = 100;

    private static final String CHECKPOINT = "checkpoint";
    private static final String WRITE = "write";
    private static final String QUEUE = "queue";

    private final OutboxFile file;
    private final Map<QueueId, QueueSpec> queues = new LinkedHashMap<>();
    private final RandomGenerator random;
    private Map<String, QueueView> views = Map.of();
    private long lastId;

    OutboxStore(OutboxFile file, List<QueueSpec> specs, RandomGenerator random) {
        this.file = file;
        this.random = random;
        specs.forEach(spec -> queues.put(spec.id(), spec));
        lastId = file.lastItem();
        views = read("");
    }

    OutboxFile file() {
        return file;
    }

    /** Returns the state of a queue after the last change. */
    QueueView view(QueueId queue) {
        return views.getOrDefault(queue.label(), QueueView.EMPTY);
    }

    /** The number of waiting events by queue, including queues that are not configured. */
    Map<String, Long> waiting() {
        var waiting = new TreeMap<String, Long>();
        views.forEach((queue, view) -> waiting.put(queue, view.events()));
        return waiting;
    }

    /** Counts rows that were set aside, by queue. */
    void quarantined(Map<String, Long> setAside) {
        change(() -> {
            setAside.forEach((queue, rows) -> {
                var lost = loss(queue);
                loss(queue, new Lost(lost.loss(), lost.quarantined() + rows));
            });
            return 0;
        });
    }

    private <T> T change(Supplier<T> changes) {
        var result = file.change(changes);
        views = read("");
        return result;
    }

    /** @param roomy whether the disk has room; called only if that matters */
    WriteResult accept(OutboxWrite write, Instant now, BooleanSupplier roomy) {
        if (write.number() <= lastWrite(write.source())) {
            return new WriteResult.Taken(true, Map.of());
        }
        if (!roomy.getAsBoolean()) {
            return full(write);
        }
        var full = new ArrayList<WriteResult.FullQueue>();
        write.events().forEach((id, events) -> {
            var spec = queues.get(id);
            if (spec.limit().whenFull() == OutboxConfig.Overflow.BLOCK) {
                reason(spec, view(id), cost(events), now)
                        .ifPresent(reason -> full.add(new WriteResult.FullQueue(id, reason)));
            }
        });
        if (!full.isEmpty()) {
            return new WriteResult.Full(full);
        }
        try {
            return change(() -> taken(write, now));
        } catch (OutboxException failed) {
            if (OutboxFile.isFull(failed)) {
                return full(write);
            }
            throw failed;
        }
    }

    private static WriteResult full(OutboxWrite write) {
        return new WriteResult.Full(write.events().keySet().stream()
                .map(queue -> new WriteResult.FullQueue(queue, WriteResult.NO_DISK))
                .toList());
    }

    private WriteResult taken(OutboxWrite write, Instant now) {
        var lost = new HashMap<QueueId, WriteResult.Loss>();
        write.events().forEach((id, events) -> {
            var loss = makeRoom(queues.get(id), cost(events), now);
            if (loss.batches() > 0) {
                lost.put(id, loss);
            }
            append(queues.get(id), events, now);
        });
        write.checkpoints().forEach((name, value) -> {
            if (value.length == 0) {
                file.update("DELETE FROM entry WHERE kind = ? AND name = ?", CHECKPOINT, name);
            } else {
                put(CHECKPOINT, name, value);
            }
        });
        put(WRITE, write.source(), bytes(write.number()));
        return new WriteResult.Taken(false, lost);
    }

    private static long cost(List<byte[]> events) {
        return events.stream().mapToLong(event -> event.length + ITEM_BYTES).sum();
    }

    /** Returns why this many more bytes have no room; empty if they have. */
    private static Optional<String> reason(QueueSpec spec, QueueView view, long more, Instant now) {
        long most = spec.limit().maxSize();
        if (view.bytes() > 0 && view.bytes() + more > most) {
            return Optional.of(view.bytes() + " bytes wait, and " + more + " more would exceed " + most);
        }
        return view.oldest()
                .filter(since -> view.batches() > 0
                        && Duration.between(since, now).compareTo(spec.limit().maxAge()) > 0)
                .map(since -> "its oldest batch has waited since " + since + ", longer than "
                        + spec.limit().maxAge());
    }

    /** Drops the oldest batches until there is room for that many bytes. */
    private WriteResult.Loss makeRoom(QueueSpec spec, long more, Instant now) {
        var queue = spec.id().label();
        var dropped = new WriteResult.Loss(0, 0);
        for (var view = view(spec.id()); reason(spec, view, more, now).isPresent(); view = present(queue)) {
            if (view.batches() == 0) {
                close(spec, List.of(), now);
            }
            long head = file.number("SELECT min(id) FROM item WHERE queue = ? AND batch = 1", queue);
            dropped = dropped.plus(new WriteResult.Loss(file.number("SELECT events FROM item WHERE id = ?", head), 1));
            file.update("DELETE FROM item WHERE id = ?", head);
        }
        if (dropped.batches() > 0) {
            var lost = loss(queue);
            loss(queue, new Lost(lost.loss().plus(dropped), lost.quarantined()));
        }
        return dropped;
    }

    /** Adds events. What fills a batch is not written one by one. */
    private void append(QueueSpec spec, List<byte[]> events, Instant now) {
        var rest = events.stream().map(event -> Item.event(now, event)).toList();
        long open = present(spec.id().label()).open();
        while (open + rest.size() >= spec.maxBatchSize()) {
            int more = (int) (spec.maxBatchSize() - open);
            close(spec, rest.subList(0, more), now);
            rest = rest.subList(more, rest.size());
            open = 0;
        }
        rest.forEach(event -> insert(spec.id(), event));
    }

    private void insert(QueueId queue, Item item) {
        lastId++;
        insert(lastId, queue, item);
    }

    private void insert(long rowId, QueueId queue, Item item) {
        var row = new Object[] {
            rowId,
            queue.label(),
            item.name().isEmpty() ? 0 : 1,
            item.name(),
            nanos(item.closed()),
            nanos(item.since()),
            item.events(),
            item.body().length + ITEM_BYTES,
            item.body(),
            0L
        };
        row[row.length - 1] = OutboxFile.Table.ITEM.sum(row);
        file.update(OutboxFile.Table.ITEM.insert(), row);
    }

    boolean closeOpen(QueueId id, Instant now) {
        return view(id).open() > 0 && change(() -> close(queues.get(id), List.of(), now));
    }

    /** Makes a batch of the events that are in none, and of some more; it never changes after that. */
    private boolean close(QueueSpec spec, List<Item> more, Instant now) {
        var queue = spec.id().label();
        var events = new ArrayList<>(
                file.query("SELECT * FROM item WHERE queue = ? AND batch = 0 ORDER BY id", Item::of, queue));
        file.update("DELETE FROM item WHERE queue = ? AND batch = 0", queue);
        events.addAll(more);
        var body = spec.form().body(events.stream().map(Item::body).toList());
        var name = spec.names().name(now, ShortUuid.next(random));
        var first = events.getFirst();
        insert(spec.id(), new Item(0, name, now, first.since(), events.size(), body));
        return true;
    }

    Optional<Batch> head(QueueId id) {
        return file
                .query("SELECT * FROM item WHERE queue = ? AND batch = 1 ORDER BY id LIMIT 1", Item::of, id.label())
                .stream()
                .findFirst()
                .map(it -> new Batch(id, it.id(), it.name(), it.closed(), it.events(), it.body()));
    }

    /** Makes two batches of the first one, with the same events in their order; false if it cannot be divided. */
    boolean divide(QueueId id, long batch) {
        return change(() -> {
            var whole = file.query("SELECT * FROM item WHERE id = ? AND queue = ?", Item::of, batch, id.label());
            var spec = queues.get(id);
            var events = whole.isEmpty()
                    ? List.<byte[]>of()
                    : spec.form().events(whole.getFirst().body());
            if (events.size() < 2) {
                return false;
            }
            // Before all other items, as the queue is sent in the order of ids.
            long before = Math.min(0, file.number("SELECT min(id) FROM item"));
            file.update("DELETE FROM item WHERE id = ?", batch);
            int half = events.size() / 2;
            part(before - 2, spec, whole.getFirst(), events.subList(0, half));
            part(before - 1, spec, whole.getFirst(), events.subList(half, events.size()));
            return true;
        });
    }

    private void part(long rowId, QueueSpec spec, Item whole, List<byte[]> events) {
        var name = spec.names().name(whole.closed(), ShortUuid.next(random));
        var body = spec.form().body(events);
        insert(rowId, spec.id(), new Item(0, name, whole.closed(), whole.since(), events.size(), body));
    }

    /** Removes a batch; false if it is already removed. */
    boolean taken(QueueId id, long batch) {
        boolean removed = change(() ->
                        file.update("DELETE FROM item WHERE id = ? AND queue = ? AND batch = 1", batch, id.label()))
                > 0;
        file.tidy();
        return removed;
    }

    /** Writes to the disk without changing the contents. */
    void prove() {
        change(() -> {
            put(WRITE, "", bytes(0));
            return 0;
        });
    }

    Map<String, byte[]> checkpoints(String prefix) {
        var found = new TreeMap<String, byte[]>();
        entries("kind = ?", CHECKPOINT).forEach(entry -> {
            if (entry.name().startsWith(prefix)) {
                found.put(entry.name(), entry.body());
            }
        });
        return found;
    }

    long lastWrite(String source) {
        return entries("kind = ? AND name = ?", WRITE, source).stream()
                .mapToLong(entry -> ByteBuffer.wrap(entry.body()).getLong())
                .findFirst()
                .orElse(0);
    }

    private QueueView present(String queue) {
        return read(" WHERE queue = ?", queue).getOrDefault(queue, QueueView.EMPTY);
    }

    /** Counts what waits. Reads the index only. */
    private Map<String, QueueView> read(String where, Object... values) {
        var counted = new HashMap<String, QueueView>();
        entries("kind = ?", QUEUE)
                .forEach(
                        entry -> counted.put(entry.name(), Lost.of(entry.body()).view()));
        file.each(
                "SELECT queue, batch, count(*), sum(events), sum(size), min(since) FROM item" + " INDEXED BY waiting"
                        + where + " GROUP BY queue, batch",
                row -> counted.merge(row.getString(1), group(row), QueueView::plus),
                values);
        return counted;
    }

    private static QueueView group(ResultSet row) throws SQLException {
        boolean batch = row.getInt(2) == 1;
        long rows = row.getLong(3);
        return new QueueView(
                batch ? 0 : rows,
                batch ? rows : 0,
                batch ? row.getLong(4) : 0,
                row.getLong(5),
                Optional.of(instant(row.getLong(6))),
                new WriteResult.Loss(0, 0),
                0);
    }

    private Lost loss(String queue) {
        return entries("kind = ? AND name = ?", QUEUE, queue).stream()
                .map(entry -> Lost.of(entry.body()))
                .findFirst()
                .orElse(new Lost(new WriteResult.Loss(0, 0), 0));
    }

    private void loss(String queue, Lost lost) {
        put(QUEUE, queue, bytes(lost.loss().events(), lost.loss().batches(), lost.quarantined()));
    }

    private void put(String kind, String name, byte[] value) {
        file.update(
                "INSERT INTO entry (kind, name, body, sum) VALUES (?, ?, ?, ?)"
                        + " ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body, sum = excluded.sum",
                kind,
                name,
                value,
                OutboxFile.Table.ENTRY.sum(0, kind, name, value, 0));
    }

    private List<Entry> entries(String where, Object... values) {
        return file.query("SELECT * FROM entry WHERE " + where, Entry::of, values);
    }

    private static byte[] bytes(long... numbers) {
        var bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
        bytes.asLongBuffer().put(numbers);
        return bytes.array();
    }

    private static long nanos(Instant instant) {
        return ChronoUnit.NANOS.between(Instant.EPOCH, instant);
    }

    private static Instant instant(long nanos) {
        return Instant.EPOCH.plusNanos(nanos);
    }

    /** What a queue has lost since the outbox was created. */
    private record Lost(WriteResult.Loss loss, long quarantined) {
        static Lost of(byte[] body) {
            var in = ByteBuffer.wrap(body);
            return new Lost(new WriteResult.Loss(in.getLong(), in.getLong()), in.getLong());
        }

        QueueView view() {
            return new QueueView(0, 0, 0, 0, Optional.empty(), loss, quarantined);
        }
    }

    private record Entry(String name, byte[] body) {
        static Entry of(ResultSet row) throws SQLException {
            OutboxFile.Table.ENTRY.checked(OutboxFile.Table.ENTRY.read(row));
            return new Entry(row.getString("name"), row.getBytes("body"));
        }
    }

    private record Item(long id, String name, Instant closed, Instant since, int events, byte[] body) {
        static Item event(Instant now, byte[] json) {
            return new Item(0, "", Instant.EPOCH, now, 1, json);
        }

        static Item of(ResultSet row) throws SQLException {
            OutboxFile.Table.ITEM.checked(OutboxFile.Table.ITEM.read(row));
            return new Item(
                    row.getLong("id"),
                    row.getString("name"),
                    instant(row.getLong("closed")),
                    instant(row.getLong("since")),
                    row.getInt("events"),
                    row.getBytes("body"));
        }
    }
}
