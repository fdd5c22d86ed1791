package io.sluice.pressure.core.choice;

import io.sluice.units.Resources;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The order in which VMs leave a node. */
public enum Policy {
    /** VMs with a known load before the others, the least loaded first; then the older. */
    LOWEST_LOAD,
    /** The oldest VM first. */
    OLDEST,
    /** The smallest VM that takes away the whole excess; where none does, the one that takes away most of it. */
    BEST_FIT,
    /** VMs whose use of CPU is known before the others, the one that uses least first; then the older. */
    LOWEST_USE;

    private static final Comparator<Candidate> BY_AGE = Comparator.<Candidate>comparingLong(
                    candidate -> candidate.reservation().traits().createdAtSeconds())
            .thenComparing(candidate -> candidate.reservation().pod());
    private static final Comparator<Candidate> BY_LOAD = Comparator.<Candidate>comparingDouble(
                    candidate -> candidate.reservation().traits().load1().orElse(Float.POSITIVE_INFINITY))
            .thenComparing(BY_AGE);

    private static final Comparator<Candidate> BY_USE = Comparator.<Candidate>comparingLong(
                    candidate -> candidate.use().map(Resources::milliCpu).orElse(Long.MAX_VALUE))
            .thenComparing(BY_AGE);

    /**
     * The next VM to leave.
     *
     * @param left the VMs that could leave; at least one
     * @param balance the pressure that is to be accounted for
     */
    Candidate next(List<Candidate> left, PressureBalance balance) {
        return switch (this) {
            case LOWEST_LOAD -> first(left, BY_LOAD);
            case LOWEST_USE -> first(left, BY_USE);
            case OLDEST -> first(left, BY_AGE);
            case BEST_FIT -> bestFit(left, balance);
        };
    }

    /** As it is written in the config: {@code lowest-load}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Candidate bestFit(List<Candidate> left, PressureBalance balance) {
        var alone = left.stream()
                .filter(candidate -> !balance.without(candidate.reservation()).tooMuch())
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

    /** Why this VM is next, as text. */
    String reason(Candidate chosen, List<Candidate> left, PressureBalance balance) {
        var of = left.size() == 1 ? "the only one that could leave" : "of " + left.size() + " that could leave";
        return switch (this) {
            case LOWEST_LOAD ->
                chosen.reservation()
                        .traits()
                        .load1()
                        .map(load -> "load " + ChoiceText.load(load) + ", " + ranked("the lowest", of, left))
                        .orElseGet(() -> "its load is unknown, " + ranked("the oldest", of, left));
            case LOWEST_USE ->
                chosen.use()
                        .map(use -> "uses " + ChoiceText.amount(use) + ", " + ranked("the least", of, left))
                        .orElseGet(() -> "its use is unknown, " + ranked("the oldest", of, left));
            case OLDEST -> ranked("the oldest", of, left);
            case BEST_FIT ->
                balance.without(chosen.reservation()).tooMuch()
                        ? ranked("takes most of it away", of, left)
                        : ranked("the smallest that takes all of it away", of, left);
        };
    }

    private static String ranked(String rank, String of, List<Candidate> left) {
        return left.size() == 1 ? of : rank + " " + of;
    }

    /** Compares sizes as fractions of the watermark, because CPU and memory have no common unit. */
    private record Size(PressureBalance balance) {
        /** The size of the VM: the larger of its two fractions. */
        double burden(Candidate candidate) {
            var charge = candidate.reservation().traits().charge();
            return Math.max(
                    share(charge.milliCpu(), balance.watermark().milliCpu()),
                    share(charge.memoryBytes(), balance.watermark().memoryBytes()));
        }

        /** How much of the excess it takes away. */
        double relief(Candidate candidate) {
            var before = balance.excess();
            var taken = before.minus(balance.without(candidate.reservation()).excess());
            return share(taken.milliCpu(), before.milliCpu()) + share(taken.memoryBytes(), before.memoryBytes());
        }

        private static double share(long amount, long of) {
            return of == 0 ? 0 : (double) amount / of;
        }
    }
}
