package io.sluice.vectors;

import java.util.ArrayList;
import java.util.List;

/** Counts what was played of one kind, and stores the first differences. */
public final class Tally {
    /** How many differences are stored in full. */
    public static final int KEPT_MAX = 10;

    private final List<Difference> first = new ArrayList<>();
    private final List<String> unsupported = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private long compared;
    private long different;
    private long onPurpose;

    /** Adds one command with all its differences; none if it is equal. */
    public void compared(List<Difference> differences) {
        compared++;
        if (differences.isEmpty()) {
            return;
        }
        different++;
        differences.stream().limit(KEPT_MAX - (long) first.size()).forEach(first::add);
    }

    /** Adds one command that was played but not compared, because Sluice differs there on purpose. */
    void playedOnly() {
        onPurpose++;
    }

    /** Adds one command whose reply differs from the recorded one on purpose, with its place and the reason. */
    public void playedOnly(String reason) {
        playedOnly();
        reasons.add(reason);
    }

    /** Where and why Sluice differs on purpose, as far as a reason was given. */
    public List<String> reasons() {
        return List.copyOf(reasons);
    }

    /** Adds a file that no player reads. */
    void unsupported(String file) {
        unsupported.add(file);
    }

    /** Number of commands that were compared. */
    public long commands() {
        return compared;
    }

    /** Number of commands with a result that differs from the recorded one. */
    public long different() {
        return different;
    }

    /** Number of commands that were played but not compared. */
    public long onPurpose() {
        return onPurpose;
    }

    /** The first differences. */
    public List<Difference> first() {
        return List.copyOf(first);
    }

    /** Files that no player reads. */
    public List<String> unsupportedFiles() {
        return List.copyOf(unsupported);
    }
}
