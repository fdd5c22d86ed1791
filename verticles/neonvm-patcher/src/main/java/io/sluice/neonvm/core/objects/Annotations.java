package io.sluice.neonvm.core.objects;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the annotations of one VM, one after the other. If one is invalid, its last valid value is used instead, and a
 * complaint is added.
 */
final class Annotations {
    private static final int WORDS_MAX = 240;

    private final LastValidAnnotations before;
    private final Map<String, String> texts = new HashMap<>();
    private final Set<String> never = new HashSet<>();
    private final List<String> complaints = new ArrayList<>();

    /** @param before what was read of the same VM before */
    Annotations(LastValidAnnotations before) {
        this.before = before;
    }

    /**
     * Reads one annotation.
     *
     * @param what its name
     * @param text its value; empty if the VM does not have it
     * @param reading parses a value; an empty value means the default and is always valid
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

    /** Adds a complaint: the annotation's value exceeds the spec's maximum, so a smaller one counts. */
    void capped(String what, String most) {
        complaints.add(what + ": it exceeds the spec's maximum, so " + most + " counts");
    }

    /** One sentence for each invalid annotation, each of a bounded length. */
    List<String> complaints() {
        return complaints;
    }

    /** The last valid values by now. */
    LastValidAnnotations good(long version) {
        return new LastValidAnnotations(version, texts, never);
    }

    private <T> T standIn(String what, String words, Function<String, T> reading) {
        if (!before.has(what)) {
            never.add(what);
            complain(what, words, "no valid one was read since the start, so the default holds");
            return reading.apply("");
        }
        var last = before.of(what);
        keep(what, last);
        try {
            var value = reading.apply(last);
            complain(what, words, last.isEmpty() ? "the default still holds" : "the last valid one stays in force");
            return value;
        } catch (IllegalArgumentException | ArithmeticException fitsNoMore) {
            complain(what, words, "the last valid one is not valid any more, so the default holds");
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
