package io.sluice.billing.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Tracks which windows have left the outbox for all sinks. Each queue of the outbox is first in, first out. So a window
 * has left a queue as soon as no more events wait there than were added after the window. After rows were set aside as
 * damaged, nobody knows whose they were: the copies of all windows stay for the next leader.
 */
public final class UnconfirmedWindows {
    private final long maxBytes;
    private final int maxWindows;
    private final Deque<Window> windows = new ArrayDeque<>();
    private final Map<String, Long> added = new HashMap<>();
    private long bytes;
    private int copied;
    private int kept;
    private long setAside;

    /** @param until for each queue, how many events were added to it up to the window's end */
    private record Window(String key, long bytes, boolean isCopied, Map<String, Long> until) {}

    /**
     * Creates it without windows.
     *
     * @param maxBytes the most bytes that have copies
     * @param maxWindows the most windows that have copies
     */
    public UnconfirmedWindows(long maxBytes, int maxWindows) {
        this.maxBytes = maxBytes;
        this.maxWindows = maxWindows;
    }

    /**
     * Adds a window that was written to the outbox, and returns whether there is room for a copy of it.
     *
     * @param size bytes of its copy
     * @param events how many events of it each queue has
     */
    public boolean add(String key, long size, Map<String, Integer> events) {
        boolean copies = bytes + size <= maxBytes && copied < maxWindows;
        add(key, size, events, copies);
        return copies;
    }

    /** Adds a window that has a copy already. */
    public void addCopied(String key, long size, Map<String, Integer> events) {
        add(key, size, events, true);
    }

    private void add(String key, long size, Map<String, Integer> events, boolean copies) {
        var until = new HashMap<String, Long>();
        events.forEach((queue, count) -> until.put(queue, added.merge(queue, (long) count, Long::sum)));
        windows.addLast(new Window(key, size, copies, until));
        bytes += copies ? size : 0;
        copied += copies ? 1 : 0;
    }

    /**
     * Removes the windows that have left all queues, and returns the keys of those that have copies.
     *
     * @param waiting how many events wait in a queue
     * @param rowsSetAside how many rows of the outbox were set aside as damaged
     */
    public List<String> takeConfirmed(ToLongFunction<String> waiting, LongSupplier rowsSetAside) {
        var confirmed = new ArrayList<String>();
        var counts = new HashMap<String, Long>();
        added.keySet().forEach(queue -> counts.put(queue, waiting.applyAsLong(queue)));
        // Read after the counts, so that it is never older than these.
        long rows = rowsSetAside.getAsLong();
        if (rows > setAside) {
            setAside = rows;
            kept = copied;
            windows.clear();
        }
        while (!windows.isEmpty() && hasLeft(windows.getFirst(), counts)) {
            var window = windows.removeFirst();
            if (window.isCopied()) {
                bytes -= window.bytes();
                copied--;
                confirmed.add(window.key());
            }
        }
        return confirmed;
    }

    private boolean hasLeft(Window window, Map<String, Long> waiting) {
        return window.until().entrySet().stream()
                .allMatch(part -> waiting.get(part.getKey()) <= added.get(part.getKey()) - part.getValue());
    }

    /** The bytes of windows that have copies. */
    public long bytes() {
        return bytes;
    }

    /** The number of windows that only the outbox of this process has. */
    public int withoutCopy() {
        return windows.size() - (copied - kept);
    }
}
