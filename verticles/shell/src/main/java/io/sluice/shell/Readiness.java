package io.sluice.shell;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What each part of the process still waits for before it is ready, and what troubles it while it runs: one sentence
 * for each. Safe from any thread.
 */
public final class Readiness {
    private final Map<String, String> waiting = new ConcurrentHashMap<>();
    private final Map<Subject, Supplier<Optional<String>>> troubles = new ConcurrentHashMap<>();

    /**
     * Something that is not as it should be, in a part that runs.
     *
     * @param part a verticle's name, such as {@code cluster}
     * @param subject what it is with, such as a kind of objects
     * @param sentence what it is, and its cause
     */
    public record Trouble(String part, String subject, String sentence) {}

    private record Subject(String part, String name) implements Comparable<Subject> {
        @Override
        public int compareTo(Subject other) {
            int parts = part.compareTo(other.part);
            return parts == 0 ? name.compareTo(other.name) : parts;
        }
    }

    /**
     * Records that a part is not ready.
     *
     * @param part a verticle's name, such as {@code ledger}
     * @param reason what it waits for
     */
    public void waitFor(String part, String reason) {
        waiting.put(part, reason);
    }

    /** Records that a part is ready. */
    public void ready(String part) {
        waiting.remove(part);
    }

    /**
     * Has a part report trouble with one subject from now on, which leaves it ready.
     *
     * @param subject what the trouble is with, such as a sink; a later report about it replaces this one
     * @param sentence empty while there is none; it is called from any thread
     */
    public void reports(String part, String subject, Supplier<Optional<String>> sentence) {
        troubles.put(new Subject(part, subject), sentence);
    }

    /** Whether no part waits. */
    public boolean isReady() {
        return waiting.isEmpty();
    }

    /** What each part waits for, sorted by part. */
    public Map<String, String> reasons() {
        return new TreeMap<>(waiting);
    }

    /** What troubles parts now, sorted by part and subject. */
    public List<Trouble> troubles() {
        return new TreeMap<>(troubles)
                .entrySet().stream()
                        .flatMap(each -> each.getValue().get().stream()
                                .map(sentence -> new Trouble(
                                        each.getKey().part(), each.getKey().name(), sentence)))
                        .toList();
    }
}
