package io.sluice.cluster.fleet;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last events of one VM or node, oldest first. */
final class History {
    private final int most;
    private final long sinceNanos;
    private final Deque<String> lines = new ArrayDeque<>();

    /** @param sinceNanos start of the clock of its lines */
    History(int most, long sinceNanos) {
        this.most = most;
        this.sinceNanos = sinceNanos;
    }

    void add(long nowNanos, String line) {
        lines.add("%.3f %s".formatted((nowNanos - sinceNanos) / 1e9, line));
        if (lines.size() > most) {
            lines.remove();
        }
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
