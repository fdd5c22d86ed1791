package io.sluice.vectors;

import java.util.ArrayList;
import java.util.List;

/** Counts what was played of one kind, and keeps the first differences. */
public final class Tally {
    /** How many differences are kept in full. */
    public static final int KEPT_MAX = 10;

    private final List<Difference> first = new ArrayList<>();
    private final List<String> unsupported = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private long compared;
    private long different;
    private long onPurpose;

    /** One command with everything that differs in it; none if it is equal. */
    public void compared(List<Difference> differences) {
        compared++;
        if (differences.isEmpty()) {
            return;
        }
        different++;
        differences.stream().limit(KEPT_MAX - (long) first.size()).forEach(first::add);
    }

    /** One command that was played but not compared, as ours differs there on purpose. */
    void playedOnly() {
        onPurpose++;
    }

    /** One command whose answer is not the recorded one but the one that ours means to give; with its place and why. */
    public void playedOnly(String reason) {
        playedOnly();
        reasons.add(reason);
    }

    /** Where ours differs on purpose and why, as far as it was said. */
    public List<String> reasons() {
        return List.copyOf(reasons);
    }

    /** A file that no player reads yet. */
    void unsupported(String file) {
        unsupported.add(file);
    }

    /** Commands that were compared. */
    public long commands() {
        return compared;
    }

    /** Commands with some other result than recorded. */
    public long different() {
        return different;
    }

    /** Commands played without comparing. */
    public long onPurpose() {
        return onPurpose;
    }

    /** The first differences. */
    public List<Difference> first() {
        return List.copyOf(first);
    }

    /** Files that no player reads yet. */
    public List<String> unsupportedFiles() {
        return List.copyOf(unsupported);
    }
}
