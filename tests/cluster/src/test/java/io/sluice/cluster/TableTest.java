package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cluster.fleet.Window;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Goal: the table claims no more than its rounds show. */
class TableTest {
    private static final MainCode CODE = new MainCode("abc", "123");

    @Test
    void aZeroIsWrittenWithItsUpperBound() {
        assertThat(Table.count(0, 20)).isEqualTo("0 (≤ 14 %)");
        assertThat(Table.count(0, 5)).isEqualTo("0 (≤ 45 %)");
        assertThat(Table.count(0, 1)).isEqualTo("0 (≤ 95 %)");
        assertThat(Table.count(3, 20)).isEqualTo("3");
    }

    @Test
    void aRowHasTheRoundsOfItsFault() {
        var rounds = List.of(round("cut", 1, 500, 0), round("cut", 2, 700, 8_000), round("kill", 1, 300, 0));

        assertThat(Table.of(rounds))
                .containsPattern("cut +\\| +2 \\| +700 / 700 .* 8000 / 8000 .*0 \\(≤ 78 %\\)")
                .containsPattern("kill +\\| +1 \\| +300 / 300 ");
    }

    @Test
    void aRoundIsReadAsItWasWritten() {
        var round = round("cut", 7, 500, 8_000);

        assertThat(RoundResult.of(round.line())).isEqualTo(round);
    }

    @Test
    void roundsOfOtherMainCodeAreNotAddedTo() {
        var before = List.of(round("cut", 1, 500, 0));

        assertThat(new MainCode("abd", "123").refuses(before)).isEmpty();
        assertThat(new MainCode("abd", "124").refuses(before).orElseThrow())
                .isEqualTo("rounds in that file were played with the main code of abc, and this is abd: start another"
                        + " file");
    }

    @Test
    void roundsThatNameNoMainCodeAreNotAddedTo() {
        var old = RoundResult.of("""
            {"fault":"cut","round":1,"at":"2026-11-21T00:00:00Z","outage":{"worstMs":1,"medianMs":1,"refused":{}},\
            "back":{"worstMs":1,"medianMs":1,"refused":{}},"wrong":[],"unhealed":[],"falseSplits":[],"answers":1}\
            """);

        assertThat(CODE.refuses(List.of(old))).isPresent();
    }

    private static RoundResult round(String fault, int number, long outageMs, long atMaximumMs) {
        return new RoundResult(
                fault,
                number,
                Instant.EPOCH,
                CODE,
                new Window.Outage(outageMs, 300, Map.of("no connection", 2)),
                Window.Outage.NOTHING,
                atMaximumMs,
                Map.of("migration", 3),
                List.of(),
                List.of(),
                List.of(),
                10);
    }
}
