package io.sluice.shell;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** A map of at most so many entries. Beyond that, one is dropped for each that is added. */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;
    private static final int CAPACITY = 16;
    private static final float LOAD_FACTOR = 0.75f;

    private final transient int sizeMax;
    private final transient BiConsumer<K, V> dropped;

    private BoundedMap(int sizeMax, boolean byUse, BiConsumer<K, V> dropped) {
        super(CAPACITY, LOAD_FACTOR, byUse);
        this.sizeMax = sizeMax;
        this.dropped = dropped;
    }

    /** Returns a map that drops the entry that was added first. */
    public static <K, V> BoundedMap<K, V> ofNewest(int sizeMax) {
        return ofNewest(sizeMax, (key, value) -> {});
    }

    /** Returns the same, with a receiver of dropped entries. */
    public static <K, V> BoundedMap<K, V> ofNewest(int sizeMax, BiConsumer<K, V> dropped) {
        return new BoundedMap<>(sizeMax, false, dropped);
    }

    /** Returns a map that drops the entry that was read or written least recently. */
    public static <K, V> BoundedMap<K, V> ofLastUsed(int sizeMax) {
        return ofLastUsed(sizeMax, (key, value) -> {});
    }

    /** Returns the same, with a receiver of dropped entries. */
    public static <K, V> BoundedMap<K, V> ofLastUsed(int sizeMax, BiConsumer<K, V> dropped) {
        return new BoundedMap<>(sizeMax, true, dropped);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        if (size() <= sizeMax) {
            return false;
        }
        dropped.accept(eldest.getKey(), eldest.getValue());
        return true;
    }
}
