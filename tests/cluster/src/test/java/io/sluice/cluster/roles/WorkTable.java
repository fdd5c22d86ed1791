package io.sluice.cluster.roles;

import io.sluice.launcher.core.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How long VMs waited for sizes, round by round. Not thread-safe. */
final class WorkTable {
    private final List<Round> rounds = new ArrayList<>();

    /**
     * One round of a fault.
     *
     * @param struckMs the longest wait of each VM from the fault on, in ms, shortest first
     * @param backMs the same from when its cause was removed
     */
    record Round(Role role, ProcessFault fault, List<Long> struckMs, List<Long> backMs) {
        @Override
        public String toString() {
            return "%s %s: median VM %d ms, slowest %d ms; afterwards %d and %d ms"
                    .formatted(
                            role.key(), fault, middle(struckMs), struckMs.getLast(), middle(backMs), backMs.getLast());
        }
    }

    void add(Round round) {
        rounds.add(round);
    }

    /** The median over all VMs and rounds of a fault, of all roles, both before and after its cause is removed. */
    long medianMs(ProcessFault fault) {
        return middle(waits(fault).sorted().toList());
    }

    /** The longest wait of any VM in any round of a fault. */
    long mostMs(ProcessFault fault) {
        return waits(fault).max(Long::compare).orElse(0L);
    }

    private Stream<Long> waits(ProcessFault fault) {
        return rounds.stream()
                .filter(round -> round.fault() == fault)
                .flatMap(round -> Stream.concat(round.struckMs().stream(), round.backMs().stream()));
    }

    private static long middle(List<Long> sorted) {
        return sorted.get(sorted.size() / 2);
    }

    /** A row for each role and fault, in Markdown. */
    String text() {
        var text = new StringBuilder("""
            | role | blow | rounds | median VM | slowest VM p50/max | afterwards: median VM | slowest VM p50/max |
            |---|---|--:|--:|--:|--:|--:|
            """);
        for (var fault : ProcessFault.values()) {
            rounds.stream()
                    .filter(round -> round.fault() == fault)
                    .map(Round::role)
                    .distinct()
                    .forEach(role -> text.append(row(role, fault)));
        }
        return text.toString();
    }

    private String row(Role role, ProcessFault fault) {
        var some = rounds.stream()
                .filter(round -> round.role() == role && round.fault() == fault)
                .toList();
        return "| `%s` | %s | %d | %s | %s |%n"
                .formatted(
                        role.key(),
                        fault.name().toLowerCase(Locale.ROOT),
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
