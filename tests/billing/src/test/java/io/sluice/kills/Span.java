package io.sluice.kills;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A time from one instant to another, in nanoseconds since 1970.
 *
 * @param from its first instant
 * @param to the first instant after it
 */
record Span(long from, long to) {
    long length() {
        return Math.max(0, to - from);
    }

    boolean isIn(Span other) {
        return from >= other.from && to <= other.to;
    }

    Span within(Span other) {
        return new Span(Math.max(from, other.from), Math.min(to, other.to));
    }

    Span wider(long by) {
        return new Span(from - by, to + by);
    }

    /** Returns the union of the spans, in order and without overlaps. */
    static List<Span> merged(Collection<Span> spans) {
        var merged = new ArrayList<Span>();
        spans.stream()
                .filter(span -> span.length() > 0)
                .sorted(Comparator.comparingLong(Span::from))
                .forEach(span -> {
                    if (!merged.isEmpty() && merged.getLast().to() >= span.from()) {
                        var last = merged.removeLast();
                        merged.add(new Span(last.from(), Math.max(last.to(), span.to())));
                    } else {
                        merged.add(span);
                    }
                });
        return merged;
    }

    /** Returns what is left of this span without the others, which are merged. */
    List<Span> without(List<Span> others) {
        var left = new ArrayList<Span>();
        long at = from;
        for (int i = firstEndingAfter(others, from);
                i < others.size() && others.get(i).from() < to;
                i++) {
            if (others.get(i).from() > at) {
                left.add(new Span(at, others.get(i).from()));
            }
            at = Math.max(at, others.get(i).to());
        }
        if (at < to) {
            left.add(new Span(at, to));
        }
        return left;
    }

    private static int firstEndingAfter(List<Span> merged, long instant) {
        int low = 0;
        int high = merged.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (merged.get(middle).to() <= instant) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
