package io.sluice.shell;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The state of each part of the process, for operators. Safe from any thread. */
public final class Dumps {
    private final Map<String, Source> parts = new ConcurrentHashMap<>();

    /** The state of one part, in pieces, so that a reader of a large one does not need all of it in memory. */
    public interface Source {
        /** The keys of all pieces, sorted. Safe from any thread. */
        Future<List<String>> keys();

        /** One piece as a JSON value; {@code null} in JSON for one that is gone. Safe from any thread. */
        Future<String> read(String key);
    }

    /**
     * Makes a part's state readable until it is withdrawn.
     *
     * @param part a verticle's name, such as {@code agent}
     */
    public void offer(String part, Source source) {
        parts.put(Objects.requireNonNull(part, "part"), Objects.requireNonNull(source, "source"));
    }

    /** Removes a part that has stopped. */
    public void withdraw(String part) {
        parts.remove(part);
    }

    /** All parts that can be read, sorted by name. */
    public Map<String, Source> parts() {
        return new TreeMap<>(parts);
    }
}
