package io.sluice.lab.guest.core;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;

/** The last few samples of the used memory, and their mean. */
final class MemoryWindow {
    private static final int SAMPLES = 5;

    private final ArrayDeque<Long> samples = new ArrayDeque<>(SAMPLES);
    private Optional<Instant> newest = Optional.empty();

    void add(long bytes, Instant now) {
        if (samples.size() == SAMPLES) {
            samples.removeFirst();
        }
        samples.addLast(bytes);
        newest = Optional.of(now);
    }

    int count() {
        return samples.size();
    }

    Optional<Instant> newest() {
        return newest;
    }

    /** The arithmetic mean, rounded down; 0 without samples. */
    long mean() {
        return samples.isEmpty()
                ? 0
                : samples.stream().mapToLong(Long::longValue).sum() / samples.size();
    }
}
