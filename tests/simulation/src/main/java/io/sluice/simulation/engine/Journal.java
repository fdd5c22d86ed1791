package io.sluice.simulation.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last events of a history as readable lines; without lines to keep it records nothing. */
public final class Journal {
    private final int kept;
    private final Deque<String> lines = new ArrayDeque<>();

    /** Keeps that many lines. */
    public Journal(int kept) {
        this.kept = kept;
    }

    /** Whether lines are kept. */
    public boolean listens() {
        return kept > 0;
    }

    /** Adds a line. */
    public void report(Timeline time, String line) {
        if (kept > 0) {
            if (lines.size() == kept) {
                lines.removeFirst();
            }
            lines.addLast(time.clock() + "  " + line);
        }
    }

    /** All lines that are kept, the oldest first. */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}
