package io.sluice.gateway.core.console;

import io.sluice.shell.explain.Explanation;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The last decisions and states of each VM, node and placed pod, bounded in total. Beyond the bound, the VM or node
 * without a new entry for the longest time is removed first.
 */
final class DecisionHistory {
    /** How many entries are kept of one VM or node. */
    static final int OF_ONE_MAX = 128;

    private static final int TOTAL_MAX = 200_000;
    private static final Comparator<Explanation> NEWEST_FIRST =
            Comparator.comparing(Explanation::at).reversed();

    private final int totalMax;
    private final LinkedHashMap<Subject, Deque<Explanation>> rings = new LinkedHashMap<>();
    private int total;

    /** The VM or node of an entry. */
    sealed interface Subject {
        /**
         * A VM.
         *
         * @param key {@code namespace/name}
         */
        record Vm(String key) implements Subject {}

        /**
         * A node.
         *
         * @param name its name
         */
        record Node(String name) implements Subject {}

        /**
         * A pod that was to be placed.
         *
         * @param key {@code namespace/name}
         */
        record Pod(String key) implements Subject {}
    }

    DecisionHistory() {
        this(TOTAL_MAX);
    }

    DecisionHistory(int totalMax) {
        this.totalMax = totalMax;
    }

    /**
     * Adds an entry. A decision that {@linkplain Explanation#joined joins} the VM's last one replaces it.
     *
     * @return the entry that is kept
     */
    Explanation add(Subject subject, Explanation entry) {
        var known = rings.remove(subject);
        Deque<Explanation> ring = known == null ? new ArrayDeque<>() : known;
        rings.put(subject, ring);
        var last = lastDecision(ring, entry.vm());
        var joined = last.flatMap(before -> before.joined(entry));
        if (joined.isPresent()) {
            ring.removeLastOccurrence(last.get());
            total--;
        }
        var kept = joined.orElse(entry);
        ring.addLast(kept);
        total++;
        if (ring.size() > OF_ONE_MAX) {
            ring.removeFirst();
            total--;
        }
        while (total > totalMax) {
            total -= rings.pollFirstEntry().getValue().size();
        }
        return kept;
    }

    private static Optional<Explanation> lastDecision(Deque<Explanation> ring, String vm) {
        for (var newest = ring.descendingIterator(); newest.hasNext(); ) {
            var entry = newest.next();
            if (entry.until().isEmpty() && entry.vm().equals(vm)) {
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }

    /** Returns the entries that began at or before that time, or all; the newest first. */
    List<Explanation> of(Subject subject, Optional<Instant> atOrBefore) {
        var ring = rings.get(subject);
        if (ring == null) {
            return List.of();
        }
        var entries = new ArrayList<Explanation>(ring);
        atOrBefore.ifPresent(time -> entries.removeIf(entry -> entry.since().isAfter(time)));
        entries.sort(NEWEST_FIRST);
        return entries;
    }

    boolean contains(Subject subject) {
        return rings.containsKey(subject);
    }

    /** Returns the VMs of that name that have entries, in all namespaces. */
    List<String> vmsNamed(String name) {
        return rings.keySet().stream()
                .flatMap(subject -> subject instanceof Subject.Vm(var key) ? Stream.of(key) : Stream.empty())
                .filter(key -> key.endsWith("/" + name))
                .toList();
    }

    /** Returns the pods that have entries and that a name may mean: {@code namespace/name}, or a name alone. */
    List<String> podsMeant(String name) {
        if (name.contains("/")) {
            return contains(new Subject.Pod(name)) ? List.of(name) : List.of();
        }
        return rings.keySet().stream()
                .flatMap(subject -> subject instanceof Subject.Pod(var key) ? Stream.of(key) : Stream.empty())
                .filter(key -> key.endsWith("/" + name))
                .sorted()
                .toList();
    }

    int total() {
        return total;
    }
}
