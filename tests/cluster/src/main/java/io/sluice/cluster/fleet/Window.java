package io.sluice.cluster.fleet;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** How long VMs were without a permit since a fault began, and which other replies they got. Not thread-safe. */
public final class Window {
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

    /** Starts a window: drops all but the time of each VM's last permit. */
    public void begin() {
        long now = System.nanoTime();
        if (sinceNanos == 0) {
            Arrays.fill(lastGood, now);
        }
        sinceNanos = now;
        Arrays.fill(longest, 0);
        refused.clear();
    }

    /** Drops the time before from all waits, as there were no requests. */
    void resume() {
        Arrays.fill(lastGood, System.nanoTime());
    }

    /**
     * Its waiting does not count until its next permit: it was migrated, and requests are not possible before its new
     * pod is observed.
     */
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

    /** Whether each VM got a permit after that time. */
    public boolean servedSince(long nanos) {
        return Arrays.stream(lastGood).allMatch(good -> good - nanos > 0);
    }

    /** The figures so far. */
    public Outage observed() {
        long now = System.nanoTime();
        var gaps = new long[longest.length];
        for (int vm = 0; vm < gaps.length; vm++) {
            long waiting = absent[vm] ? 0 : now - lastGood[vm];
            gaps[vm] = Math.max(longest[vm], waiting) / 1_000_000;
        }
        Arrays.sort(gaps);
        return new Outage(gaps[gaps.length - 1], gaps[gaps.length / 2], Map.copyOf(refused));
    }

    /**
     * What was observed.
     *
     * @param worstMs the longest time that a VM was without a permit
     * @param medianMs the same of the VM in the middle
     * @param refused number of each other reply, or of none
     */
    public record Outage(long worstMs, long medianMs, Map<String, Integer> refused) {
        /** The result without any observation. */
        public static final Outage NOTHING = new Outage(0, 0, Map.of());

        /** The number of all other replies. */
        public int inAll() {
            return refused.values().stream().mapToInt(Integer::intValue).sum();
        }
    }
}
