package io.sluice.shell;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** What each part of the process still waits for before it is ready: one sentence for each. Safe from any thread. */
public final class Readiness {
    private final Map<String, String> waiting = new ConcurrentHashMap<>();

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

    /** Whether no part waits. */
    public boolean isReady() {
        return waiting.isEmpty();
    }

    /** What each part waits for, sorted by part. */
    public Map<String, String> reasons() {
        return new TreeMap<>(waiting);
    }
}
