package io.sluice.pods.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.pods.core.MemoryKills.Finding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: one kill has more memory requested once, whoever reports it, and two kills twice. Method: sequences of reports,
 * by the kernel ({@code K}) and by the status ({@code S}), with the second of the kill that each shows.
 */
class MemoryKillsTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "K1 S1, NEW CONFIRMED",
        "S1 K2, NEW CONFIRMED",
        // A status is read each second, and shows the last kill as long as the container lives.
        "S1 S1 S1, NEW KNOWN KNOWN",
        "K1 S1 S1, NEW CONFIRMED KNOWN",
        // The processes of a group are killed one after the other.
        "K1 K2 S1, NEW KNOWN CONFIRMED",
        "K1 K2 K4, NEW KNOWN NEW",
        // A container that is killed again, and a process that is killed in one that lives on.
        "K1 S1 K13 S13, NEW CONFIRMED NEW CONFIRMED",
        "K1 K4 S1 S4, NEW NEW CONFIRMED CONFIRMED",
        "S1 K2 K5 S5, NEW CONFIRMED NEW CONFIRMED",
        // Without a node agent, or without its report.
        "S1 S15, NEW NEW",
        "K1 S20, NEW NEW",
        "S1 K20, NEW NEW",
        // A clock that was set back.
        "K60 K1 S1, NEW NEW CONFIRMED"
    })
    void eachKillIsNewOnce(String reports, String findings) {
        var kills = new MemoryKills();
        assertThat(findings(kills, "u", reports)).containsExactly(expected(findings));
        assertThat(findings(kills, "another", reports)).as("of another pod").containsExactly(expected(findings));
    }

    private static List<Finding> findings(MemoryKills kills, String pod, String reports) {
        var found = new ArrayList<Finding>();
        for (var report : reports.split(" ")) {
            var at = START.plusSeconds(Long.parseLong(report.substring(1)));
            found.add(report.startsWith("K") ? kills.byKernel(pod, at.plusMillis(300)) : kills.byStatus(pod, at));
        }
        return found;
    }

    private static Finding[] expected(String findings) {
        return List.of(findings.split(" ")).stream().map(Finding::valueOf).toArray(Finding[]::new);
    }
}
