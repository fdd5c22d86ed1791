package io.sluice.gateway.core.console.fleet;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of at most so many entries: beyond that, the least recently used entry is removed. */
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;
    private static final float LOAD_FACTOR = 0.75f;

    private final transient int sizeMax;
    private final transient Evicted<K, V> evicted;

    /** Receives the removed entries. */
    interface Evicted<K, V> {
        void gone(K key, V value);
    }

    public BoundedMap(int sizeMax) {
        this(sizeMax, (key, value) -> {});
    }

    BoundedMap(int sizeMax, Evicted<K, V> evicted) {
        super(16, LOAD_FACTOR, true);
        this.sizeMax = sizeMax;
        this.evicted = evicted;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        if (size() <= sizeMax) {
            return false;
        }
        evicted.gone(eldest.getKey(), eldest.getValue());
        return true;
    }
}
