package io.sluice.billing.outbox.file;

import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.h2.mvstore.MVMap;

/**
 * A map of the file that checks each value when it is read.
 *
 * @param <K> type of its keys
 */
public final class CheckedMap<K> {
    private final String name;
    private final MVMap<K, byte[]> map;

    CheckedMap(String name, MVMap<K, byte[]> map) {
        this.name = Objects.requireNonNull(name, "name");
        this.map = Objects.requireNonNull(map, "map");
    }

    /** The stored bytes of a value: key, value and checksum. */
    public static long cost(byte[] value) {
        return Long.BYTES + Integer.BYTES + (long) value.length;
    }

    /** Sets the value of a key. */
    public void put(K key, byte[] value) {
        map.put(key, Checksums.seal(name, key, value));
    }

    /** Removes the value, if there is one. */
    public void remove(K key) {
        map.remove(key);
    }

    /** Removes all values. */
    public void clear() {
        map.clear();
    }

    /** Returns the value of a key. */
    public Optional<byte[]> get(K key) {
        return Optional.ofNullable(map.get(key)).map(stored -> open(key, stored));
    }

    /** Returns the smallest key. */
    public Optional<K> firstKey() {
        return Optional.ofNullable(map.firstKey());
    }

    /** Returns the greatest key. */
    public Optional<K> lastKey() {
        return Optional.ofNullable(map.lastKey());
    }

    /** Passes all entries in the order of their keys. */
    public void forEach(BiConsumer<K, byte[]> visitor) {
        var cursor = map.cursor(null);
        while (cursor.hasNext()) {
            var key = cursor.next();
            visitor.accept(key, open(key, cursor.getValue()));
        }
    }

    private byte[] open(K key, byte[] sealed) {
        return Checksums.open(name, key, sealed)
                .orElseThrow(() -> new DamagedException(
                        "the value of " + key + " in " + name + " is damaged: its checksum differs"));
    }
}
