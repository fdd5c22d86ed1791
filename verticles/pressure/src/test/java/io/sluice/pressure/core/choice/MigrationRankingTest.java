package io.sluice.pressure.core.choice;

import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.pressure.Ranking.Rank;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MigrationRankingTest {
    private final GivenAround around = new GivenAround(node("n2"));

    @Test
    void vmsThatCouldLeaveComeInOrderAndTheOthersByName() {
        around.resting.put("resting", new Cooldown(Duration.ofSeconds(30), "its last migration"));
        var ledger = node(
                "n1",
                reservation("zebra", 500).fixed().ledger(),
                reservation("resting", 500).ledger(),
                reservation("busy", 500).load(2).ledger(),
                reservation("idle", 500).load(0.2).ledger());

        var ranks = MigrationRanking.rank(ledger, around).ranks();

        assertThat(ranks).extracting(Rank::pod).containsExactly("idle", "busy", "resting", "zebra");
        assertThat(ranks).extracting(Rank::candidate).containsExactly(true, true, false, false);
        assertThat(ranks)
                .extracting(Rank::reason)
                .satisfiesExactly(
                        idle -> assertThat(idle)
                                .isEqualTo("load 0.20, the lowest of 2 that could leave; n2 would then have"
                                        + " 500m/500Mi reserved, its watermark is 8/8000Mi"),
                        busy -> assertThat(busy).startsWith("load 2.00, the only one that could leave; n2"),
                        resting -> assertThat(resting).isEqualTo("in cooldown for 30 s more, after its last migration"),
                        zebra -> assertThat(zebra).isEqualTo("is not labelled as migratable"));
    }

    @Test
    void whatHoldsAllBackIsReportedWithEach() {
        around.paused();
        var ledger = node("n1", reservation("a", 500).ledger());

        assertThat(MigrationRanking.rank(ledger, around).ranks())
                .singleElement()
                .satisfies(rank -> assertThat(rank.reason()).endsWith("; not now: migrations are paused"));
    }

    @Test
    void aVmThatNoNodeCanTakeCouldNotLeave() {
        around.rooms.received(node("n2", reservation("x", 7_900).ledger()), 1);
        var ledger = node("n1", reservation("a", 500).ledger());

        assertThat(MigrationRanking.rank(ledger, around).ranks())
                .singleElement()
                .satisfies(rank -> {
                    assertThat(rank.candidate()).isFalse();
                    assertThat(rank.reason()).contains("400m/400Mi above its watermark");
                });
    }

    @Test
    void aVmThatIsToMoveAlwaysIsReportedToWaitForItsMetrics() {
        var ledger = node("n1", reservation("a", 500).always().ledger());

        assertThat(MigrationRanking.rank(ledger, around).ranks())
                .singleElement()
                .satisfies(rank -> assertThat(rank.reason())
                        .endsWith("labelled to migrate whenever possible, and has not reported metrics since it came"));
    }
}
