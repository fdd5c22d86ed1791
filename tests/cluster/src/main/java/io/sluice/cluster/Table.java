package io.sluice.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** The results of many rounds, a row for each fault. */
final class Table {
    private static final String ROW = "| %-22s | %6s | %15s | %15s | %15s | %8s | %11s | %11s | %6s |%n";

    /**
     * The confidence of the upper bounds: a fault as frequent as the bound would have been found with this probability.
     */
    private static final double SURE = 0.95;

    private Table() {}

    static String of(List<RoundResult> results) {
        var text = new StringBuilder(ROW.formatted(
                "fault",
                "rounds",
                "outage p50/max",
                "back p50/max",
                "at max p50/max",
                "refused",
                "wrong",
                "unhealed",
                "splits"));
        text.append(ROW.formatted("---", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:"));
        byFault(results).forEach((fault, rounds) -> text.append(row(fault, rounds)));
        return text.toString();
    }

    private static LinkedHashMap<String, List<RoundResult>> byFault(List<RoundResult> results) {
        var grouped = new LinkedHashMap<String, List<RoundResult>>();
        results.forEach(result -> grouped.computeIfAbsent(result.fault(), fault -> new ArrayList<>())
                .add(result));
        return grouped;
    }

    private static String row(String fault, List<RoundResult> rounds) {
        return ROW.formatted(
                fault,
                rounds.size(),
                figures(rounds, round -> round.outage().worstMs()),
                figures(rounds, round -> round.back().worstMs()),
                figures(rounds, RoundResult::atMaximumMs),
                rounds.stream().mapToLong(RoundResult::refusedInAll).sum(),
                count(rounds, round -> !round.wrong().isEmpty()),
                count(rounds, round -> !round.unhealed().isEmpty()),
                rounds.stream().filter(round -> !round.falseSplits().isEmpty()).count());
    }

    private static String count(List<RoundResult> rounds, Predicate<RoundResult> bad) {
        return count(rounds.stream().filter(bad).count(), rounds.size());
    }

    /** The number of n rounds in which it was found; if none, also the upper bound of how frequent it may be. */
    static String count(long found, int n) {
        return found > 0 ? Long.toString(found) : "0 (≤ %.0f %%)".formatted(100 * (1 - Math.pow(1 - SURE, 1.0 / n)));
    }

    /** The median of a figure of the rounds. */
    static long median(List<RoundResult> rounds, ToLongFunction<RoundResult> figure) {
        var sorted = rounds.stream().mapToLong(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static String figures(List<RoundResult> rounds, ToLongFunction<RoundResult> figure) {
        return median(rounds, figure) + " / "
                + rounds.stream().mapToLong(figure).max().orElseThrow();
    }
}
