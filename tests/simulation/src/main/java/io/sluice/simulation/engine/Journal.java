package io.sluice.simulation.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last events of a history as lines for people; writes nothing unless somebody is to read it. */
public final class Journal {
    private final int kept;
    private final Deque<String> lines = new ArrayDeque<>();

    /** Keeps that many lines; none keeps silent. */
    public Journal(int kept) {
        this.kept = kept;
    }

    /** Whether a line is worth making. */
    public boolean listens() {
        return kept > 0;
    }

    /** Writes a line. */
    public void say(Timeline time, String line) {
        if (kept > 0) {
            if (lines.size() == kept) {
                lines.removeFirst();
            }
            lines.addLast(time.clock() + "  " + line);
        }
    }

    /** All that is kept, the oldest first. */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}
