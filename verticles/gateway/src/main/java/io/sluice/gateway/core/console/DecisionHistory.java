package io.sluice.gateway.core.console;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The last decisions and states of each VM and node, bounded in total. Beyond the bound, the VM or node without a new
 * entry for the longest time is removed first.
 */
final class DecisionHistory {
    /** How many entries are kept of one VM or node. */
    static final int OF_ONE_MAX = 128;

    private static final int TOTAL_MAX = 200_000;
    private static final Comparator<Reason> NEWEST_FIRST =
            Comparator.comparing(Reason::at).reversed();

    private final int totalMax;
    private final LinkedHashMap<Subject, Deque<Reason>> rings = new LinkedHashMap<>();
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
    }

    DecisionHistory() {
        this(TOTAL_MAX);
    }

    DecisionHistory(int totalMax) {
        this.totalMax = totalMax;
    }

    void add(Subject subject, Reason reason) {
        var known = rings.remove(subject);
        Deque<Reason> ring = known == null ? new ArrayDeque<>() : known;
        rings.put(subject, ring);
        ring.addLast(reason);
        total++;
        if (ring.size() > OF_ONE_MAX) {
            ring.removeFirst();
            total--;
        }
        while (total > totalMax) {
            total -= rings.pollFirstEntry().getValue().size();
        }
    }

    /** Returns the entries at or before that time, or all; the newest first. */
    List<Reason> of(Subject subject, Optional<Instant> atOrBefore) {
        var ring = rings.get(subject);
        if (ring == null) {
            return List.of();
        }
        var reasons = new ArrayList<Reason>(ring);
        atOrBefore.ifPresent(time -> reasons.removeIf(reason -> reason.at().isAfter(time)));
        reasons.sort(NEWEST_FIRST);
        return reasons;
    }

    boolean contains(Subject subject) {
        return rings.containsKey(subject);
    }

    /** Returns the VMs of that name that have entries, in all namespaces. */
    List<String> vmsNamed(String name) {
        List<String> keys = new ArrayList<>();
        for (var subject : rings.keySet()) {
            if (subject instanceof Subject.Vm(var key) && key.endsWith("/" + name)) {
                keys.add(key);
            }
        }
        return keys;
    }

    int total() {
        return total;
    }
}
