package io.sluice.billing.outbox;

import io.sluice.billing.outbox.file.CheckedMap;
import io.sluice.billing.outbox.file.OpeningFinding;
import io.sluice.billing.outbox.file.StoreFile;
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
 * All that an open file holds, and the changes that are made to it, one commit each. Not safe for several threads; once
 * anything was thrown it is to be given up, as its counts may be ahead of the file.
 */
final class OutboxStore {
    private final StoreFile file;
    private final Map<QueueId, SinkQueue> lanes = new LinkedHashMap<>();
    private final CheckedMap<String> notes;
    private final CheckedMap<String> offers;
    private final CheckedMap<String> states;

    OutboxStore(StoreFile file, QueueCounts inventory, List<QueueSpec> terms, RandomGenerator random) {
        this.file = file;
        notes = file.words("notes");
        offers = file.words("offers");
        states = file.words("lanes");
        for (var lane : terms) {
            var shelf = new SinkQueue(lane, file, inventory, random);
            states.get(lane.id().label()).ifPresent(shelf::restore);
            lanes.put(lane.id(), shelf);
        }
    }

    /** Counts what was set aside, by the lane that it was of. */
    void quarantined(OpeningFinding.Damaged damage) {
        lanes.forEach((id, shelf) -> {
            long entries = damage.setAside().entrySet().stream()
                    .filter(map -> QueueCounts.lane(map.getKey())
                            .filter(id.label()::equals)
                            .isPresent())
                    .mapToLong(Map.Entry::getValue)
                    .sum();
            if (entries > 0) {
                shelf.quarantined(entries);
                save(shelf);
            }
        });
        file.commit();
    }

    /** @param roomy whether the disk has room, asked only if that matters */
    WriteResult accept(OutboxWrite offer, Instant now, BooleanSupplier roomy) {
        if (offer.number() <= lastOffer(offer.source())) {
            return new WriteResult.Taken(true, Map.of());
        }
        if (!roomy.getAsBoolean()) {
            return new WriteResult.Full(offer.events().keySet().stream()
                    .map(lane -> new WriteResult.FullQueue(lane, "the disk has no room"))
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
            var loss = shelf(id).makeRoom(costs.get(id), now);
            if (loss.batches() > 0) {
                lost.put(id, loss);
            }
            shelf(id).append(events, now);
            save(shelf(id));
        });
        offer.notes().forEach(this::note);
        offers.put(offer.source(), bytes(offer.number()));
        file.commit();
        return new WriteResult.Taken(false, lost);
    }

    private List<WriteResult.FullQueue> full(Map<QueueId, Long> costs, Instant now) {
        var full = new ArrayList<WriteResult.FullQueue>();
        costs.forEach((id, cost) ->
                shelf(id).blocked(cost, now).ifPresent(reason -> full.add(new WriteResult.FullQueue(id, reason))));
        return full;
    }

    private void note(String name, byte[] value) {
        if (value.length == 0) {
            notes.remove(name);
        } else {
            notes.put(name, value);
        }
    }

    Map<String, byte[]> notes(String prefix) {
        var found = new TreeMap<String, byte[]>();
        notes.forEach((name, value) -> {
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
        boolean closed = shelf(id).closeOpen(now);
        if (closed) {
            save(shelf(id));
            file.commit();
        }
        return closed;
    }

    Optional<Batch> head(QueueId id) {
        return shelf(id).head();
    }

    boolean taken(QueueId id, long batch) {
        boolean removed = shelf(id).taken(batch);
        if (removed) {
            file.commit();
        }
        return removed;
    }

    /** Writes to the disk, and changes nothing. */
    void prove() {
        file.commit();
    }

    Map<QueueId, QueueView> views() {
        var views = new HashMap<QueueId, QueueView>();
        lanes.forEach((id, shelf) -> views.put(id, shelf.view()));
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

    private SinkQueue shelf(QueueId id) {
        return lanes.get(id);
    }

    private void save(SinkQueue shelf) {
        states.put(shelf.id().label(), shelf.state());
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
