package io.sluice.cluster;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** For how long VMs went without a good answer, and which others they got, since a fault began. Of one thread. */
final class Window {
    private final long[] lastGood;
    private final long[] longest;
    private final boolean[] absent;
    private final Map<String, Integer> refused = new TreeMap<>();
    private long sinceNanos;

    Window(int vms) {
        lastGood = new long[vms];
        longest = new long[vms];
        absent = new boolean[vms];
        begin();
    }

    /** Forgets all but when each VM was answered last. */
    void begin() {
        long now = System.nanoTime();
        if (sinceNanos == 0) {
            Arrays.fill(lastGood, now);
        }
        sinceNanos = now;
        Arrays.fill(longest, 0);
        refused.clear();
    }

    /** What was before does not count as waiting: nobody asked. */
    void resume() {
        Arrays.fill(lastGood, System.nanoTime());
    }

    /** Until its next good answer its waiting does not count: it has moved, and nobody can ask before that is known. */
    void absent(int vm) {
        absent[vm] = true;
    }

    void good(int vm) {
        long now = System.nanoTime();
        longest[vm] = absent[vm] ? longest[vm] : Math.max(longest[vm], now - lastGood[vm]);
        absent[vm] = false;
        lastGood[vm] = now;
    }

    void refused(String reason) {
        refused.merge(reason, 1, Integer::sum);
    }

    /** Whether each VM got a good answer after that instant. */
    boolean servedSince(long nanos) {
        return Arrays.stream(lastGood).allMatch(good -> good - nanos > 0);
    }

    /** How it stands now. */
    Seen seen() {
        long now = System.nanoTime();
        var gaps = new long[longest.length];
        for (int vm = 0; vm < gaps.length; vm++) {
            long waiting = absent[vm] ? 0 : now - lastGood[vm];
            gaps[vm] = Math.max(longest[vm], waiting) / 1_000_000;
        }
        Arrays.sort(gaps);
        return new Seen(gaps[gaps.length - 1], gaps[gaps.length / 2], Map.copyOf(refused));
    }

    /**
     * What was seen.
     *
     * @param worstMs the longest that a VM went without a good answer
     * @param medianMs the same of the VM in the middle
     * @param refused how often each other answer, or none, came
     */
    record Seen(long worstMs, long medianMs, Map<String, Integer> refused) {
        /** Where nothing was seen. */
        static final Seen NOTHING = new Seen(0, 0, Map.of());

        /** How many answers were not good. */
        int inAll() {
            return refused.values().stream().mapToInt(Integer::intValue).sum();
        }
    }
}
