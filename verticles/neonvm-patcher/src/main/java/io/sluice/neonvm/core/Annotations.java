package io.sluice.neonvm.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The annotations of one VM as they are read, one after the other: where one is no good, what was last good of that
 * very one stands in, and a complaint says so.
 */
final class Annotations {
    private static final int WORDS_MAX = 240;

    private final LastValidAnnotations before;
    private final Map<String, String> texts = new HashMap<>();
    private final Set<String> never = new HashSet<>();
    private final List<String> complaints = new ArrayList<>();

    /** @param before what is known of the same VM */
    Annotations(LastValidAnnotations before) {
        this.before = before;
    }

    /**
     * Reads one.
     *
     * @param what its name
     * @param text as it stands there; empty where it does not
     * @param reading what a text means; an empty one means the default, and is always good
     */
    <T> T read(String what, String text, Function<String, T> reading) {
        try {
            var value = reading.apply(text);
            keep(what, text);
            return value;
        } catch (IllegalArgumentException | ArithmeticException noGood) {
            return standIn(what, String.valueOf(noGood.getMessage()), reading);
        }
    }

    /** Notes that an annotation says more than the object allows, so that less counts. */
    void capped(String what, String most) {
        complaints.add(what + ": it says more than the spec's maximum, so " + most + " counts");
    }

    /** One sentence for each that was no good, each of a bounded length. */
    List<String> complaints() {
        return complaints;
    }

    /** What is good of them by now. */
    LastValidAnnotations good(long version) {
        return new LastValidAnnotations(version, texts, never);
    }

    private <T> T standIn(String what, String words, Function<String, T> reading) {
        if (!before.has(what)) {
            never.add(what);
            complain(what, words, "no good one was seen since the start, so the default holds");
            return reading.apply("");
        }
        var last = before.of(what);
        keep(what, last);
        try {
            var value = reading.apply(last);
            complain(what, words, last.isEmpty() ? "the default goes on to hold" : "the last good one stays in force");
            return value;
        } catch (IllegalArgumentException | ArithmeticException fitsNoMore) {
            complain(what, words, "the last good one does not fit any more, so the default holds");
            return reading.apply("");
        }
    }

    private void keep(String what, String text) {
        if (!text.isEmpty()) {
            texts.put(what, text);
        }
    }

    private void complain(String what, String words, String consequence) {
        var cut = words.substring(0, Math.min(words.length(), WORDS_MAX)).replaceAll("\\p{Cntrl}", " ");
        complaints.add(what + ": " + cut + "; " + consequence);
    }
}
