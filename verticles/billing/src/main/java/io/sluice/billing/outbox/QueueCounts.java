package io.sluice.billing.outbox;

import io.sluice.billing.outbox.file.CheckedMap;
import io.sluice.billing.outbox.file.StoreFile;
import io.sluice.billing.outbox.file.StoreVisitor;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Counts the contents of each queue while the file is read at its opening. */
final class QueueCounts implements StoreVisitor {
    private static final String OPEN = StoreFile.NUMBERED + "open/";
    private static final String SHUT = StoreFile.NUMBERED + "shut/";

    private final Map<String, Tally> tallies = new HashMap<>();

    /** Returns the name of the map of a queue's events that are in no batch yet. */
    static String open(String queue) {
        return OPEN + queue;
    }

    /** Returns the name of the map of a queue's batches. */
    static String shut(String queue) {
        return SHUT + queue;
    }

    /** Returns the queue of a map. */
    static Optional<String> queue(String map) {
        return Stream.of(OPEN, SHUT)
                .filter(map::startsWith)
                .map(prefix -> map.substring(prefix.length()))
                .findFirst();
    }

    @Override
    public void entry(String map, Object key, byte[] value) {
        if (map.startsWith(OPEN)) {
            tally(map).add((Long) key, value, 1, StoreRecords.Event.of(value).acceptedAt());
        } else if (map.startsWith(SHUT)) {
            var batch = StoreRecords.Closed.of(value);
            tally(map).add((Long) key, value, batch.events(), batch.openedAt());
        }
    }

    Tally tally(String map) {
        return tallies.computeIfAbsent(map, name -> new Tally());
    }

    /** The number of entries by queue, including queues that are not configured. */
    Map<String, Long> entriesByQueue() {
        var entries = new HashMap<String, Long>();
        tallies.forEach((map, tally) -> queue(map).ifPresent(queue -> entries.merge(queue, tally.entries, Long::sum)));
        return entries;
    }

    /** The counts of one map. */
    static final class Tally {
        private long entries;
        private long events;
        private long bytes;
        private long lastKey;
        private Optional<Instant> since = Optional.empty();

        void add(long key, byte[] value, int eventsOfIt, Instant at) {
            entries++;
            events += eventsOfIt;
            bytes += CheckedMap.cost(value);
            lastKey = Math.max(lastKey, key);
            since = since.or(() -> Optional.of(at));
        }

        /** Removes the oldest entry from the counts. */
        void remove(byte[] value, int eventsOfIt, Optional<Instant> nextSince) {
            entries--;
            events -= eventsOfIt;
            bytes -= CheckedMap.cost(value);
            since = nextSince;
        }

        /** Removes all entries from the counts; keys continue. */
        void clear() {
            entries = 0;
            events = 0;
            bytes = 0;
            since = Optional.empty();
        }

        long entries() {
            return entries;
        }

        long events() {
            return events;
        }

        long bytes() {
            return bytes;
        }

        long lastKey() {
            return lastKey;
        }

        /** When the oldest event was accepted. */
        Optional<Instant> since() {
            return since;
        }

        void goOnAfter(long key) {
            lastKey = Math.max(lastKey, key);
        }
    }
}
