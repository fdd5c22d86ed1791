package io.sluice.shell;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Where each part of the process lets its state be read by people. Safe from any thread. */
public final class Dumps {
    private final Map<String, Source> parts = new ConcurrentHashMap<>();

    /** The state of one part, in pieces, so that whoever reads a large one need not hold all of it. */
    public interface Source {
        /** The keys of all pieces, sorted. Safe from any thread. */
        Future<List<String>> keys();

        /** One piece as a JSON value; {@code null} in JSON for one that is gone. Safe from any thread. */
        Future<String> read(String key);
    }

    /**
     * Lets a part's state be read until it is withdrawn.
     *
     * @param part a verticle's name, such as {@code agent}
     */
    public void offer(String part, Source source) {
        parts.put(Objects.requireNonNull(part, "part"), Objects.requireNonNull(source, "source"));
    }

    /** The part has stopped. */
    public void withdraw(String part) {
        parts.remove(part);
    }

    /** Everything that can be read, sorted by part. */
    public Map<String, Source> parts() {
        return new TreeMap<>(parts);
    }
}
