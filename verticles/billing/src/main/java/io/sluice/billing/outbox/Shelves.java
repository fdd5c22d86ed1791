package io.sluice.billing.outbox;

import io.sluice.billing.outbox.file.Finding;
import io.sluice.billing.outbox.file.StoreFile;
import io.sluice.billing.outbox.file.Table;
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
final class Shelves {
    private final StoreFile file;
    private final Map<LaneId, LaneShelf> lanes = new LinkedHashMap<>();
    private final Table<String> notes;
    private final Table<String> offers;
    private final Table<String> states;

    Shelves(StoreFile file, Inventory inventory, List<Lane> terms, RandomGenerator random) {
        this.file = file;
        notes = file.words("notes");
        offers = file.words("offers");
        states = file.words("lanes");
        for (var lane : terms) {
            var shelf = new LaneShelf(lane, file, inventory, random);
            states.get(lane.id().label()).ifPresent(shelf::restore);
            lanes.put(lane.id(), shelf);
        }
    }

    /** Counts what was set aside, by the lane that it was of. */
    void quarantined(Finding.Damaged damage) {
        lanes.forEach((id, shelf) -> {
            long entries = damage.setAside().entrySet().stream()
                    .filter(map -> Inventory.lane(map.getKey())
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
    Acceptance accept(Offer offer, Instant now, BooleanSupplier roomy) {
        if (offer.number() <= lastOffer(offer.source())) {
            return new Acceptance.Taken(true, Map.of());
        }
        if (!roomy.getAsBoolean()) {
            return new Acceptance.Full(offer.events().keySet().stream()
                    .map(lane -> new Acceptance.FullLane(lane, "the disk has no room"))
                    .toList());
        }
        var costs = new HashMap<LaneId, Long>();
        offer.events().forEach((id, events) -> costs.put(id, LaneShelf.cost(events, now)));
        var full = full(costs, now);
        if (!full.isEmpty()) {
            return new Acceptance.Full(full);
        }
        var lost = new HashMap<LaneId, Acceptance.Loss>();
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
        return new Acceptance.Taken(false, lost);
    }

    private List<Acceptance.FullLane> full(Map<LaneId, Long> costs, Instant now) {
        var full = new ArrayList<Acceptance.FullLane>();
        costs.forEach((id, cost) ->
                shelf(id).blocked(cost, now).ifPresent(reason -> full.add(new Acceptance.FullLane(id, reason))));
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

    boolean closeOpen(LaneId id, Instant now) {
        boolean closed = shelf(id).closeOpen(now);
        if (closed) {
            save(shelf(id));
            file.commit();
        }
        return closed;
    }

    Optional<Batch> head(LaneId id) {
        return shelf(id).head();
    }

    boolean taken(LaneId id, long batch) {
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

    Map<LaneId, LaneView> views() {
        var views = new HashMap<LaneId, LaneView>();
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

    private LaneShelf shelf(LaneId id) {
        return lanes.get(id);
    }

    private void save(LaneShelf shelf) {
        states.put(shelf.id().label(), shelf.state());
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
