package io.sluice.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.ToLongFunction;

/** What many rounds came to, a row for each fault. */
final class Table {
    private static final String ROW = "| %-22s | %6s | %15s | %15s | %8s | %5s | %8s | %6s |%n";

    private Table() {}

    static String of(List<RoundResult> results) {
        var text = new StringBuilder(ROW.formatted(
                "fault", "rounds", "outage p50/max", "back p50/max", "refused", "wrong", "unhealed", "splits"));
        text.append(ROW.formatted("---", "--:", "--:", "--:", "--:", "--:", "--:", "--:"));
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
                rounds.stream().mapToLong(RoundResult::refusedInAll).sum(),
                rounds.stream().mapToLong(round -> round.wrong().size()).sum(),
                rounds.stream().filter(round -> !round.unhealed().isEmpty()).count(),
                rounds.stream().filter(round -> !round.falseSplits().isEmpty()).count());
    }

    private static String figures(List<RoundResult> rounds, ToLongFunction<RoundResult> figure) {
        var sorted = rounds.stream().mapToLong(figure).sorted().toArray();
        return sorted[sorted.length / 2] + " / " + sorted[sorted.length - 1];
    }
}
