package io.sluice.pressure.core.choice;

import static io.sluice.pressure.Given.member;
import static io.sluice.pressure.Given.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.pressure.Ranking.Rank;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MigrationRankingTest {
    private final GivenAround around = new GivenAround(node("n2"));

    @Test
    void thoseWhoCouldLeaveComeInOrderAndTheOthersByName() {
        around.resting.put("resting", new Cooldown(Duration.ofSeconds(30), "its last migration"));
        var books = node(
                "n1",
                member("zebra", 500).fixed().books(),
                member("resting", 500).books(),
                member("busy", 500).load(2).books(),
                member("idle", 500).load(0.2).books());

        var ranks = MigrationRanking.rank(books, around).ranks();

        assertThat(ranks).extracting(Rank::member).containsExactly("idle", "busy", "resting", "zebra");
        assertThat(ranks).extracting(Rank::candidate).containsExactly(true, true, false, false);
        assertThat(ranks)
                .extracting(Rank::reason)
                .satisfiesExactly(
                        idle -> assertThat(idle)
                                .isEqualTo("load 0.20, the lowest of 2 that could leave; n2 would have reserved"
                                        + " 500m/500Mi of its watermark 8/8000Mi"),
                        busy -> assertThat(busy).startsWith("load 2.00, the only one that could leave; n2"),
                        resting ->
                                assertThat(resting).isEqualTo("in cool-down for 30 s more, after its last migration"),
                        zebra -> assertThat(zebra).isEqualTo("is not labelled as one that may be moved"));
    }

    @Test
    void whatHoldsEverybodyBackIsSaidWithEach() {
        around.paused();
        var books = node("n1", member("a", 500).books());

        assertThat(MigrationRanking.rank(books, around).ranks())
                .singleElement()
                .satisfies(rank -> assertThat(rank.reason()).endsWith("; not now: migrations are paused"));
    }

    @Test
    void oneWhomNoNodeCanTakeCouldNotLeave() {
        around.rooms.heard(node("n2", member("x", 7_900).books()), 1);
        var books = node("n1", member("a", 500).books());

        assertThat(MigrationRanking.rank(books, around).ranks()).singleElement().satisfies(rank -> {
            assertThat(rank.candidate()).isFalse();
            assertThat(rank.reason()).contains("too much by 400m/400Mi");
        });
    }

    @Test
    void whoeverIsToMoveAlwaysIsSaidToWaitForItsMetrics() {
        var books = node("n1", member("a", 500).always().books());

        assertThat(MigrationRanking.rank(books, around).ranks())
                .singleElement()
                .satisfies(rank -> assertThat(rank.reason())
                        .endsWith("; labelled to move whenever it can, and has not reported metrics since it came"));
    }
}
