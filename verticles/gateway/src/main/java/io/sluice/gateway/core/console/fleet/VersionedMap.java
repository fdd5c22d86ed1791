package io.sluice.gateway.core.console.fleet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Values by name, each with the version of its last change, so that the changes since a mark cost only their number.
 * The last removed names are remembered; a reader with an older mark needs the whole map.
 *
 * @param <V> an immutable value; one that equals the value before is no change
 */
final class VersionedMap<V> {
    private final int goneMax;
    private final LongSupplier nextVersion;
    private final LinkedHashMap<String, Entry<V>> entries = new LinkedHashMap<>();
    private final LinkedHashMap<String, Long> gone = new LinkedHashMap<>();
    private long forgotten;

    private record Entry<V>(V value, long version) {}

    /** Creates an empty map that draws its versions from a counter which it may share with others. */
    VersionedMap(int goneMax, LongSupplier nextVersion) {
        this.goneMax = goneMax;
        this.nextVersion = nextVersion;
    }

    void put(String name, V value) {
        var known = entries.get(name);
        if (known != null && known.value().equals(value)) {
            return;
        }
        entries.remove(name);
        gone.remove(name);
        entries.put(name, new Entry<>(value, nextVersion.getAsLong()));
    }

    void remove(String name) {
        if (entries.remove(name) == null) {
            return;
        }
        gone.put(name, nextVersion.getAsLong());
        if (gone.size() > goneMax) {
            forgotten = gone.pollFirstEntry().getValue();
        }
    }

    Optional<V> get(String name) {
        return Optional.ofNullable(entries.get(name)).map(Entry::value);
    }

    Collection<String> names() {
        return Collections.unmodifiableCollection(entries.keySet());
    }

    int size() {
        return entries.size();
    }

    /** Returns every value, the one that changed last at the end. */
    List<V> all() {
        List<V> all = new ArrayList<>(entries.size());
        entries.values().forEach(entry -> all.add(entry.value()));
        return all;
    }

    /** Returns whether {@link #goneSince} still has all names that were removed since then. */
    boolean remembers(long mark) {
        return mark >= forgotten;
    }

    /** Returns the values that changed since the mark, in the order of their last change. */
    List<V> changedSince(long mark) {
        List<V> changed = new ArrayList<>();
        for (var entry : entries.sequencedValues().reversed()) {
            if (entry.version() <= mark) {
                break;
            }
            changed.add(entry.value());
        }
        return changed.reversed();
    }

    /** Returns the names that were removed since the mark and were not added again. */
    List<String> goneSince(long mark) {
        List<String> names = new ArrayList<>();
        for (Map.Entry<String, Long> entry : gone.sequencedEntrySet().reversed()) {
            if (entry.getValue() <= mark) {
                break;
            }
            names.add(entry.getKey());
        }
        return names.reversed();
    }
}
