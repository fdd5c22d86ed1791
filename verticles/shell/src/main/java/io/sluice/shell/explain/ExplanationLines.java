package io.sluice.shell.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Selects the lines of a log or terminal that shows decisions. The first of equal decisions in a row is a line at once.
 * Those that follow become one line when another decision follows, and at least once in a period.
 */
public final class ExplanationLines {
    private final Duration every;
    private final Map<String, Open> open = new HashMap<>();

    /** @param shown how many of the decisions were in lines */
    private record Open(Explanation entry, int shown, Instant shownAt) {
        boolean isShown() {
            return entry.count() == shown;
        }

        Open showing(Instant now) {
            return new Open(entry, entry.count(), now);
        }
    }

    /** @param every the longest time that a decision waits for its line */
    public ExplanationLines(Duration every) {
        this.every = Objects.requireNonNull(every, "every");
    }

    /** Takes a decision and returns the lines to write now, the oldest first. */
    public List<Explanation> take(Explanation next) {
        var key = next.vm().isEmpty() ? next.node() : next.vm();
        var before = Optional.ofNullable(open.get(key));
        var joined = before.flatMap(known -> known.entry().joined(next));
        if (joined.isPresent()) {
            open.put(
                    key,
                    new Open(joined.get(), before.get().shown(), before.get().shownAt()));
            return List.of();
        }
        List<Explanation> lines = new ArrayList<>();
        before.filter(known -> !known.isShown()).map(Open::entry).ifPresent(lines::add);
        lines.add(next);
        open.put(key, new Open(next, next.count(), next.at()));
        return lines;
    }

    /** Returns the lines that waited long enough; to be called more often than the period. */
    public List<Explanation> due(Instant now) {
        List<Explanation> lines = new ArrayList<>();
        open.replaceAll((key, known) -> {
            if (known.isShown() || now.isBefore(known.shownAt().plus(every))) {
                return known;
            }
            lines.add(known.entry());
            return known.showing(now);
        });
        open.values()
                .removeIf(known ->
                        known.isShown() && now.isAfter(known.entry().at().plus(Explanation.ROW_GAP)));
        lines.sort(Comparator.comparing(Explanation::at));
        return lines;
    }

    /** Returns the lines that wait; for the end. */
    public List<Explanation> rest() {
        var lines = open.values().stream()
                .filter(known -> !known.isShown())
                .map(Open::entry)
                .sorted(Comparator.comparing(Explanation::at))
                .toList();
        open.clear();
        return lines;
    }
}
