package io.sluice.billing.outbox;

import io.sluice.billing.outbox.file.CheckedMap;
import io.sluice.billing.outbox.file.OpeningFinding;
import io.sluice.billing.outbox.file.StoreFile;
import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.QueueId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * The contents of an open file, and the changes to it, one commit each. Not thread-safe. After any exception it must be
 * abandoned, because its counts may differ from the file.
 */
final class OutboxStore {
    private final StoreFile file;
    private final Map<QueueId, SinkQueue> queues = new LinkedHashMap<>();
    private final CheckedMap<String> checkpoints;
    private final CheckedMap<String> offers;
    private final CheckedMap<String> states;

    OutboxStore(StoreFile file, QueueCounts inventory, List<QueueSpec> terms, RandomGenerator random) {
        this.file = file;
        checkpoints = file.words("notes");
        offers = file.words("offers");
        states = file.words("lanes");
        for (var spec : terms) {
            var queue = new SinkQueue(spec, file, inventory, random);
            states.get(spec.id().label()).ifPresent(queue::restore);
            queues.put(spec.id(), queue);
        }
    }

    /** Counts entries that were set aside, by queue. */
    void quarantined(OpeningFinding.Damaged damage) {
        queues.forEach((id, queue) -> {
            long entries = damage.setAside().entrySet().stream()
                    .filter(map -> QueueCounts.queue(map.getKey())
                            .filter(id.label()::equals)
                            .isPresent())
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            if (entries > 0) {
                queue.quarantined(entries);
                save(queue);
            }
        });
        file.commit();
    }

    /** @param roomy whether the disk has room; called only if that matters */
    WriteResult accept(OutboxWrite offer, Instant now, BooleanSupplier roomy) {
        if (offer.number() <= lastOffer(offer.source())) {
            return new WriteResult.Taken(true, Map.of());
        }
        if (!roomy.getAsBoolean()) {
            return new WriteResult.Full(offer.events().keySet().stream()
                    .map(queue -> new WriteResult.FullQueue(queue, "the disk has no room"))
                    .toList());
        }
        var costs = new HashMap<QueueId, Long>();
        offer.events().forEach((id, events) -> costs.put(id, SinkQueue.cost(events, now)));
        var full = full(costs, now);
        if (!full.isEmpty()) {
            return new WriteResult.Full(full);
        }
        var lost = new HashMap<QueueId, WriteResult.Loss>();
        offer.events().forEach((id, events) -> {
            var loss = queue(id).makeRoom(costs.get(id), now);
            if (loss.batches() > 0) {
                lost.put(id, loss);
            }
            queue(id).append(events, now);
            save(queue(id));
        });
        offer.checkpoints().forEach(this::writeCheckpoint);
        offers.put(offer.source(), bytes(offer.number()));
        file.commit();
        return new WriteResult.Taken(false, lost);
    }

    private List<WriteResult.FullQueue> full(Map<QueueId, Long> costs, Instant now) {
        var full = new ArrayList<WriteResult.FullQueue>();
        costs.forEach((id, cost) ->
                queue(id).blocked(cost, now).ifPresent(reason -> full.add(new WriteResult.FullQueue(id, reason))));
        return full;
    }

    private void writeCheckpoint(String name, byte[] value) {
        if (value.length == 0) {
            checkpoints.remove(name);
        } else {
            checkpoints.put(name, value);
        }
    }

    Map<String, byte[]> checkpoints(String prefix) {
        var found = new TreeMap<String, byte[]>();
        checkpoints.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                found.put(name, value);
            }
        });
        return found;
    }

    long lastOffer(String source) {
        return offers.get(source).map(value -> ByteBuffer.wrap(value).getLong()).orElse(0L);
    }

    boolean closeOpen(QueueId id, Instant now) {
        boolean closed = queue(id).closeOpen(now);
        if (closed) {
            save(queue(id));
            file.commit();
        }
        return closed;
    }

    Optional<Batch> head(QueueId id) {
        return queue(id).head();
    }

    boolean taken(QueueId id, long batch) {
        boolean removed = queue(id).taken(batch);
        if (removed) {
            file.commit();
        }
        return removed;
    }

    /** Writes to the disk without changing anything. */
    void prove() {
        file.commit();
    }

    Map<QueueId, QueueView> views() {
        var views = new HashMap<QueueId, QueueView>();
        queues.forEach((id, queue) -> views.put(id, queue.view()));
        return views;
    }

    long fileBytes() {
        return file.bytes();
    }

    void close() {
        file.close();
    }

    void abandon() {
        file.abandon();
    }

    private SinkQueue queue(QueueId id) {
        return queues.get(id);
    }

    private void save(SinkQueue queue) {
        states.put(queue.id().label(), queue.state());
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
