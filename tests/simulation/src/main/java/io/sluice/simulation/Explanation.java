package io.sluice.simulation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A broken history, reduced to as few faults as still break the same invariant, with the last lines of its journal. It
 * is found by replaying the history without some of the faults.
 *
 * @param broken how the reduced history broke
 * @param faults the faults that remain
 * @param lines the last events of the reduced history
 * @param replays number of replays
 */
public record Explanation(BrokenHistory broken, List<String> faults, List<String> lines, int replays) {
    private static final int REPLAYS_MAX = 300;
    private static final int LINES = 80;

    public Explanation {
        faults = List.copyOf(faults);
        lines = List.copyOf(lines);
    }

    /** Explains the history of that seed; empty if nothing breaks in it. */
    public static Optional<Explanation> of(long seed, HistoryShape shape) {
        var first = new Play(seed, shape, Optional.empty(), true, 0);
        return failure(first).map(broken -> new Search(seed, shape, broken).smallest(first.faults()));
    }

    private static Optional<BrokenHistory> failure(Play play) {
        try {
            play.run();
            return Optional.empty();
        } catch (BrokenHistory broken) {
            return Optional.of(broken);
        }
    }

    /** Removes ever smaller parts of the faults, as long as the same invariant still breaks. */
    private static final class Search {
        private final long seed;
        private final HistoryShape shape;
        private final String invariant;
        private BrokenHistory broken;
        private int replays;

        private Search(long seed, HistoryShape shape, BrokenHistory broken) {
            this.seed = seed;
            this.shape = shape;
            this.broken = broken;
            this.invariant = broken.invariant();
        }

        private Explanation smallest(List<String> recorded) {
            List<String> kept = new ArrayList<>(new LinkedHashSet<>(recorded));
            for (int part = Math.max(1, kept.size() / 2); part >= 1 && replays < REPLAYS_MAX; ) {
                int before = kept.size();
                kept = without(kept, part);
                part = part == 1 && kept.size() < before ? 1 : part / 2;
            }
            var last = new Play(seed, shape, Optional.of(new HashSet<>(kept)), false, LINES);
            broken = failure(last).orElse(broken);
            return new Explanation(broken, kept, last.lines(), replays);
        }

        private List<String> without(List<String> all, int part) {
            var kept = all;
            for (int from = all.size(); from > 0 && replays < REPLAYS_MAX; from -= part) {
                int first = Math.max(0, from - part);
                if (first >= kept.size()) {
                    continue;
                }
                var fewer = new ArrayList<>(kept.subList(0, first));
                fewer.addAll(kept.subList(Math.min(from, kept.size()), kept.size()));
                if (stillBreaks(new HashSet<>(fewer))) {
                    kept = fewer;
                }
            }
            return kept;
        }

        private boolean stillBreaks(Set<String> only) {
            replays++;
            return failure(new Play(seed, shape, Optional.of(only), false, 0))
                    .filter(again -> again.invariant().equals(invariant))
                    .isPresent();
        }
    }

    /** The text that is printed. */
    @Override
    public String toString() {
        return broken.getMessage() + "\n  with " + faults.size() + " faults, after " + replays + " replays:\n    "
                + String.join("\n    ", faults) + "\n  the last events:\n    " + String.join("\n    ", lines);
    }
}
