package io.sluice.vectors;

import java.util.List;

/** Plays the recordings of one kind; there is one player for each supported kind. */
public interface KindPlayer {
    /** The name of its folder. */
    String kind();

    /** What its recordings consist of, in the plural, as it is printed. */
    default String unit() {
        return "commands";
    }

    /** Whether its files are read line by line; otherwise each is one document. */
    default boolean readsLines() {
        return true;
    }

    /** Whether it can play this file; of a file with lines it reads only the first. */
    boolean plays(Recording recording);

    /** Whether a file of this name contains no recording but reference data. */
    default boolean isReference(String file) {
        return false;
    }

    /** Plays it and adds to the tally. */
    void play(Recording recording, Tally tally);

    /** Plays all recordings of one folder and adds to the tally in their order. */
    default void play(List<Recording> recordings, Tally tally) {
        recordings.forEach(recording -> play(recording, tally));
    }
}
