package io.sluice.shell.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that a mistyped one probably stands for. */
final class NearestName {
    /** A longer name is no typing mistake, and a comparison would take long. */
    private static final int LENGTH_MAX = 200;

    private NearestName() {}

    /** The name with the smallest distance; empty when that is more than half of the letters. */
    static Optional<String> of(String name, Collection<String> known) {
        if (name.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        var wanted = name.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT)) * 2 <= candidate.length())
                .min(Comparator.<String>comparingInt(candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The number of letters to insert, drop, replace, or swap with their neighbour. */
    static int distance(String left, String right) {
        var rows = new int[left.length() + 1][right.length() + 1];
        for (int row = 0; row <= left.length(); row++) {
            for (int column = 0; column <= right.length(); column++) {
                rows[row][column] = row == 0 || column == 0 ? row + column : cheapest(rows, left, right, row, column);
            }
        }
        return rows[left.length()][right.length()];
    }

    private static int cheapest(int[][] rows, String left, String right, int row, int column) {
        boolean same = left.charAt(row - 1) == right.charAt(column - 1);
        int least = Math.min(
                rows[row - 1][column - 1] + (same ? 0 : 1), 1 + Math.min(rows[row - 1][column], rows[row][column - 1]));
        boolean swapped = row > 1
                && column > 1
                && left.charAt(row - 1) == right.charAt(column - 2)
                && left.charAt(row - 2) == right.charAt(column - 1);
        return swapped ? Math.min(least, rows[row - 2][column - 2] + 1) : least;
    }
}
