package io.sluice.shell.explain;

import java.util.List;

/** Names in a sentence: of many the first ones, and the number of the others. */
public final class NameList {
    private NameList() {}

    /** Such as {@code a, b, c and 2 more}, with at most that many names. */
    public static String text(List<String> names, int most) {
        var first = String.join(", ", names.subList(0, Math.min(most, names.size())));
        return names.size() > most ? first + " and " + (names.size() - most) + " more" : first;
    }
}
