package io.sluice.cluster.roles;

import io.sluice.launcher.core.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How long VMs waited for sizes, round by round. Not safe for several threads. */
final class WorkTable {
    private final List<Round> rounds = new ArrayList<>();

    /**
     * One blow.
     *
     * @param struckMs the longest wait of each VM from the blow on, in ms, shortest first
     * @param backMs the same from when its cause was taken away
     */
    record Round(Role role, Blow blow, List<Long> struckMs, List<Long> backMs) {
        @Override
        public String toString() {
            return "%s %s: median VM %d ms, slowest %d ms; afterwards %d and %d ms"
                    .formatted(
                            role.key(), blow, middle(struckMs), struckMs.getLast(), middle(backMs), backMs.getLast());
        }
    }

    void add(Round round) {
        rounds.add(round);
    }

    /** The median over all VMs and rounds of a blow, whatever the role, both before and after its cause is gone. */
    long medianMs(Blow blow) {
        return middle(waits(blow).sorted().toList());
    }

    /** The longest wait of any VM in any round of a blow. */
    long mostMs(Blow blow) {
        return waits(blow).max(Long::compare).orElse(0L);
    }

    private Stream<Long> waits(Blow blow) {
        return rounds.stream()
                .filter(round -> round.blow() == blow)
                .flatMap(round -> Stream.concat(round.struckMs().stream(), round.backMs().stream()));
    }

    private static long middle(List<Long> sorted) {
        return sorted.get(sorted.size() / 2);
    }

    /** A row for each role and blow, in Markdown. */
    String text() {
        var text = new StringBuilder("""
            | role | blow | rounds | median VM | slowest VM p50/max | afterwards: median VM | slowest VM p50/max |
            |---|---|--:|--:|--:|--:|--:|
            """);
        for (var blow : Blow.values()) {
            rounds.stream()
                    .filter(round -> round.blow() == blow)
                    .map(Round::role)
                    .distinct()
                    .forEach(role -> text.append(row(role, blow)));
        }
        return text.toString();
    }

    private String row(Role role, Blow blow) {
        var some = rounds.stream()
                .filter(round -> round.role() == role && round.blow() == blow)
                .toList();
        return "| `%s` | %s | %d | %s | %s |%n"
                .formatted(
                        role.key(),
                        blow.name().toLowerCase(Locale.ROOT),
                        some.size(),
                        cells(some.stream().map(Round::struckMs).toList()),
                        cells(some.stream().map(Round::backMs).toList()));
    }

    private static String cells(List<List<Long>> waits) {
        var slowest = waits.stream().map(List::getLast).sorted().toList();
        var all = waits.stream().flatMap(List::stream).sorted().toList();
        return "%d | %d / %d".formatted(middle(all), middle(slowest), slowest.getLast());
    }
}
