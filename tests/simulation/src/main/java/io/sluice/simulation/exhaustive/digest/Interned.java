package io.sluice.simulation.exhaustive.digest;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Maps values to numbers, equal values to equal numbers, so that a state is a few numbers. */
public final class Interned<T> {
    private static final int CHUNK = 1 << 14;
    private static final int CHUNKS = 1 << 13;

    private final ConcurrentHashMap<Object, Integer> ids = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<AtomicReferenceArray<T>> values = new AtomicReferenceArray<>(CHUNKS);
    private final AtomicInteger count = new AtomicInteger();

    public int id(T value) {
        return id(value, value);
    }

    /** The number of the value with that key. */
    public int id(Object key, T value) {
        var known = ids.get(key);
        return known != null ? known : ids.computeIfAbsent(key, absent -> added(value));
    }

    private int added(T value) {
        int id = count.getAndIncrement();
        var chunk = values.get(id / CHUNK);
        if (chunk == null) {
            values.compareAndSet(id / CHUNK, null, new AtomicReferenceArray<>(CHUNK));
            chunk = values.get(id / CHUNK);
        }
        chunk.set(id % CHUNK, value);
        return id;
    }

    public T get(int id) {
        return values.get(id / CHUNK).get(id % CHUNK);
    }

    public int size() {
        return count.get();
    }
}
