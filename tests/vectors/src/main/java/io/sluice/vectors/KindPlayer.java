package io.sluice.vectors;

import java.util.List;

/** Plays the recordings of one kind; there is one for each kind that is supported. */
public interface KindPlayer {
    /** The name of its folder. */
    String kind();

    /** What its recordings consist of, in the plural. */
    default String unit() {
        return "commands";
    }

    /** Whether its files are read line by line, or are one document each. */
    default boolean readsLines() {
        return true;
    }

    /** Whether it can play this file; of one with lines it looks at the first alone. */
    boolean plays(Recording recording);

    /** Whether a file of this name holds no recording but what there is to know about them. */
    default boolean isReference(String file) {
        return false;
    }

    /** Plays it and counts. */
    void play(Recording recording, Tally tally);

    /** Plays all of them, which lie in one folder, and counts in their order. */
    default void play(List<Recording> recordings, Tally tally) {
        recordings.forEach(recording -> play(recording, tally));
    }
}
