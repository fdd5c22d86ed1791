package io.sluice.pressure.core.choice;

import java.util.Comparator;
import java.util.List;

/** Who goes first among those who could leave a node. */
public enum Policy {
    /** Those whose load is known before the others, the least loaded first; then the older. */
    LOWEST_LOAD,
    /** The oldest. */
    OLDEST,
    /** The smallest that takes away all that there is too much of; where none does, the one that takes most of it. */
    BEST_FIT;

    private static final Comparator<Candidate> BY_AGE = Comparator.<Candidate>comparingLong(
                    candidate -> candidate.member().traits().createdAtSeconds())
            .thenComparing(candidate -> candidate.member().member());
    private static final Comparator<Candidate> BY_LOAD = Comparator.<Candidate>comparingDouble(
                    candidate -> candidate.member().traits().load1().orElse(Float.POSITIVE_INFINITY))
            .thenComparing(BY_AGE);

    /**
     * The next to leave.
     *
     * @param left those who could; at least one
     * @param balance what is to be accounted for
     */
    Candidate next(List<Candidate> left, PressureBalance balance) {
        return switch (this) {
            case LOWEST_LOAD -> first(left, BY_LOAD);
            case OLDEST -> first(left, BY_AGE);
            case BEST_FIT -> bestFit(left, balance);
        };
    }

    private static Candidate bestFit(List<Candidate> left, PressureBalance balance) {
        var alone = left.stream()
                .filter(candidate -> !balance.without(candidate.member()).tooMuch())
                .toList();
        var size = new Size(balance);
        return alone.isEmpty()
                ? first(
                        left,
                        Comparator.comparingDouble(size::relief).reversed().thenComparing(BY_AGE))
                : first(alone, Comparator.comparingDouble(size::burden).thenComparing(BY_AGE));
    }

    private static Candidate first(List<Candidate> left, Comparator<Candidate> order) {
        return left.stream().min(order).orElseThrow();
    }

    /** Why this one is next, in words. */
    String reason(Candidate chosen, List<Candidate> left, PressureBalance balance) {
        var of = left.size() == 1 ? "the only one that could leave" : "of " + left.size() + " that could leave";
        return switch (this) {
            case LOWEST_LOAD ->
                chosen.member()
                        .traits()
                        .load1()
                        .map(load -> "load " + ChoiceText.load(load) + ", " + ranked("the lowest", of, left))
                        .orElseGet(() -> "its load is unknown, " + ranked("the oldest", of, left));
            case OLDEST -> ranked("the oldest", of, left);
            case BEST_FIT ->
                balance.without(chosen.member()).tooMuch()
                        ? ranked("takes most of it away", of, left)
                        : ranked("the smallest that takes all of it away", of, left);
        };
    }

    private static String ranked(String rank, String of, List<Candidate> left) {
        return left.size() == 1 ? of : rank + " " + of;
    }

    /** Sizes are compared as shares of the watermark: cpu and memory have no common unit. */
    private record Size(PressureBalance balance) {
        /** What moving it has to carry: its larger share. */
        double burden(Candidate candidate) {
            var charge = candidate.member().traits().charge();
            return Math.max(
                    share(charge.milliCpu(), balance.watermark().milliCpu()),
                    share(charge.memoryBytes(), balance.watermark().memoryBytes()));
        }

        /** How much of what there is too much of it takes away. */
        double relief(Candidate candidate) {
            var before = balance.excess();
            var taken = before.minus(balance.without(candidate.member()).excess());
            return share(taken.milliCpu(), before.milliCpu()) + share(taken.memoryBytes(), before.memoryBytes());
        }

        private static double share(long amount, long of) {
            return of == 0 ? 0 : (double) amount / of;
        }
    }
}
