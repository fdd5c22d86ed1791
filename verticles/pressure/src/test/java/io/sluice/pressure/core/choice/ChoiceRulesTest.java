package io.sluice.pressure.core.choice;

import static io.sluice.pressure.Given.cpu;
import static io.sluice.pressure.Given.member;
import static io.sluice.pressure.Given.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who leaves a node, in which order, and when it is enough. */
class ChoiceRulesTest {
    private static final NodeLedgerView EMPTY = node("n2");

    private final GivenAround around = new GivenAround(EMPTY);

    private static List<String> names(List<Pick> picks) {
        return picks.stream().map(pick -> pick.member().member()).toList();
    }

    private List<String> chosen(NodeLedgerView books) {
        return names(ChoiceRules.choose(books, around).picks());
    }

    private NoChoice nobody(NodeLedgerView books) {
        return ChoiceRules.choose(books, around).nobody().orElseThrow();
    }

    @Test
    void nobodyLeavesANodeThatIsNotUnderPressure() {
        var books = node("n1", member("a", 4_000).books(), member("b", 4_000).books());

        assertThat(ChoiceRules.choose(books, around)).isEqualTo(Choice.NONE);
    }

    @Test
    void theLeastLoadedLeaveUntilThePressureIsAccountedForAndNoMore() {
        var books = node(
                "n1",
                member("busy", 3_000).load(3).books(),
                member("idle", 1_500).load(0.5).books(),
                member("unknown", 2_000).createdAt(1).books(),
                member("calm", 3_000).load(1).books());

        var picks = ChoiceRules.choose(books, around).picks();

        assertThat(names(picks)).containsExactly("idle");
        assertThat(picks.getFirst().to()).isEqualTo("n2");
        assertThat(picks.getFirst().cause()).isEqualTo(MarkMigrating.Cause.PRESSURE);
        assertThat(picks.getFirst().numbers()).contains(PressureNumbers.of(books));
        assertThat(picks.getFirst().reason())
                .isEqualTo("too much by cpu 1500m, memory 1500Mi; load 0.50, the lowest of 4 that could leave; "
                        + "n2 would have reserved 1500m/1500Mi of its watermark 8/8000Mi");
    }

    @Test
    void nobodyGoesToANodeThatIsCordonedAndTheReasonSaysSo() {
        var books = node(
                "n1",
                member("a", 2_000).load(1).books(),
                member("r", 7_000).fixed().books());
        around.closed.put("n2", "cordoned");

        assertThat(nobody(books).cause()).isEqualTo(Obstacle.CLOSED);
        assertThat(nobody(books).reason()).contains("takes anything new: n2 is cordoned");

        around.rooms.heard(node("n3", member("x", 5_000).books()), 0);
        var pick = ChoiceRules.choose(books, around).picks().getFirst();
        assertThat(pick.to()).as("fuller, but open").isEqualTo("n3");
        assertThat(pick.reason()).endsWith("; n2 is cordoned");
    }

    @Test
    void whoIsLabelledToMoveWheneverItCanDoesNotMoveToAClosedNode() {
        var books = node("n1", member("a", 2_000).load(1).always().books());
        assertThat(names(ChoiceRules.always(books, around))).containsExactly("a");
        around.closed.put("n2", "not ready");

        assertThat(ChoiceRules.always(books, around)).isEmpty();
        assertThat(MigrationRanking.rank(books, around).ranks())
                .singleElement()
                .satisfies(rank -> assertThat(rank.reason()).endsWith("n2 is not ready"));
    }

    @Test
    void ofThoseWithoutMetricsTheOlderLeaveFirstAndAfterThoseWith() {
        var books = node(
                "n1",
                member("young", 500).createdAt(9).books(),
                member("old", 500).createdAt(2).books(),
                member("measured", 500).load(7).createdAt(10).books(),
                member("rest", 8_000).fixed().books());

        around.budgets(10, 10);
        assertThat(chosen(books)).containsExactly("measured", "old", "young");
    }

    @Test
    void equalLoadsGoByAgeAndEqualAgesByName() {
        var books = node(
                "n1",
                member("c", 500).load(1).createdAt(5).books(),
                member("b", 500).load(1).createdAt(5).books(),
                member("a", 500).load(1).createdAt(6).books(),
                member("rest", 7_500).fixed().books());

        assertThat(chosen(books)).containsExactly("b", "c");
    }

    @Test
    void theOldestLeaveFirstUnderThatPolicy() {
        var books = node(
                "n1",
                member("idle", 1_000).load(0).createdAt(9).books(),
                member("old", 1_000).load(5).createdAt(1).books(),
                member("rest", 7_000).fixed().books());

        around.policy(Policy.OLDEST);
        assertThat(chosen(books)).containsExactly("old");
    }

    @Test
    void theSmallestThatIsEnoughAloneLeavesUnderBestFit() {
        var books = node(
                "n1",
                member("small", 500).books(),
                member("fitting", 1_100).books(),
                member("large", 3_000).books(),
                member("rest", 4_400).fixed().books());

        around.policy(Policy.BEST_FIT);
        assertThat(chosen(books)).containsExactly("fitting");
    }

    @Test
    void whereNoneIsEnoughAloneTheOneThatHelpsMostGoesFirstUnderBestFit() {
        var books = node(
                "n1",
                member("small", 500).books(),
                member("middle", 700).books(),
                member("large", 900).books(),
                member("rest", 7_400).fixed().books());

        around.policy(Policy.BEST_FIT);
        assertThat(chosen(books))
                .as("900 of 1500 leave 600: 700 is enough, 500 is not")
                .containsExactly("large", "middle");
    }

    @Test
    void whatIsRefusedCountsWithWhoAskedForIt() {
        var books = node(
                "n1",
                member("a", 2_000).load(1).pressure(cpu(1_000)).books(),
                member("b", 2_000).load(2).books(),
                member("rest", 6_000).fixed().books());
        assertThat(PressureBalance.of(books).excess()).isEqualTo(cpu(3_000));

        assertThat(chosen(books)).as("2 held and 1 asked for make 3").containsExactly("a");
    }

    @Test
    void thoseWhoLeaveAlreadyAreAccountedForWhateverTheBooksShow() {
        var books = node(
                "n1",
                member("a", 1_000).load(1).books(),
                member("b", 1_000).load(2).books(),
                member("rest", 7_000).fixed().books());
        around.engaged.put("a", MigrationInvolvement.LEAVING);

        assertThat(ChoiceRules.choose(books, around)).isEqualTo(Choice.NONE);
    }

    @Test
    void aMarkThatTheBooksShowIsNotCountedTwice() {
        var books = node(
                "n1",
                member("a", 1_000).migrating().books(),
                member("b", 1_000).load(2).books(),
                member("rest", 8_000).fixed().books());
        around.engaged.put("a", MigrationInvolvement.LEAVING);

        assertThat(chosen(books)).containsExactly("b");
    }

    @Test
    void twoSourcesDoNotCountOnTheSameRoom() {
        var books = node(
                "n1",
                member("a", 1_000).load(1).books(),
                member("b", 1_000).load(2).books(),
                member("rest", 8_000).fixed().books());
        around.rooms.heard(node("n2", member("x", 6_500).books()), 1);
        around.rooms.heard(node("n3", member("y", 6_800).books()), 1);

        assertThat(ChoiceRules.choose(books, around).picks())
                .extracting(Pick::to)
                .containsExactly("n2", "n3");
    }

    @Test
    void oneWhomNoNodeCanTakeIsPassedOver() {
        var books = node(
                "n1",
                member("large", 3_000).load(1).books(),
                member("small", 1_500).load(2).books(),
                member("rest", 5_000).fixed().books());
        around.rooms.heard(node("n2", member("x", 6_000).books()), 1);

        assertThat(chosen(books)).containsExactly("small");
    }

    @Test
    void oneWhoHoldsNothingOfWhatThereIsTooMuchOfStays() {
        var books = node(
                "n1",
                member("cpu only", 0).load(0).reserved(new Resources(2_000, 0)).books(),
                member("rest", 0)
                        .fixed()
                        .reserved(new Resources(0, cpu(9_000).memoryBytes()))
                        .books());

        var nobody = nobody(books);

        assertThat(nobody.cause()).isEqualTo(Obstacle.NO_RELIEF);
        assertThat(nobody.reason()).contains("prod/cpu only: holds nothing of what there is too much of");
    }

    @Test
    void theBudgetOfTheNodeEndsTheChoice() {
        var books = node(
                "n1",
                member("a", 500).load(1).books(),
                member("b", 500).load(2).books(),
                member("c", 500).load(3).books(),
                member("rest", 8_000).fixed().books());
        assertThat(chosen(books)).containsExactly("a", "b");

        around.engaged.put("a", MigrationInvolvement.LEAVING);
        assertThat(chosen(books)).containsExactly("b");

        around.engaged.put("b", MigrationInvolvement.LEAVING);
        assertThat(nobody(books).cause()).isEqualTo(Obstacle.NODE_BUDGET);
        assertThat(nobody(books).reason()).isEqualTo("as many leave the node as may at once: 2 of 2");
    }

    @Test
    void theBudgetOfAllEndsTheChoice() {
        var books = node(
                "n1",
                member("a", 500).load(1).books(),
                member("b", 500).load(2).books(),
                member("rest", 8_000).fixed().books());
        around.budgets(2, 3).underWay = 2;
        assertThat(chosen(books)).containsExactly("a");

        around.underWay = 3;
        assertThat(nobody(books).reason()).isEqualTo("as many migrations are under way as may be at once: 3 of 3");
    }

    @Test
    void nobodyMovesWithTheBrakeOnOrBeforeTheMigrationsAreKnown() {
        var books = node(
                "n1",
                member("a", 9_000).books(),
                member("always", 10).always().load(1).books());
        around.listed = false;
        assertThat(nobody(books).cause()).isEqualTo(Obstacle.NOT_LISTED);
        assertThat(ChoiceRules.always(books, around)).isEmpty();

        around.listed = true;
        around.paused();
        assertThat(nobody(books).reason()).isEqualTo("migrations are paused");
        assertThat(ChoiceRules.always(books, around)).isEmpty();
    }

    @Test
    void whoeverIsLabelledToMoveAlwaysDoesOnceItHasReportedMetrics() {
        var books = node("n1", member("a", 1_000).always().fixed().books());
        assertThat(ChoiceRules.always(books, around)).isEmpty();

        books = node("n1", member("a", 1_000).always().fixed().load(0.1).books());
        var picks = ChoiceRules.always(books, around);

        assertThat(names(picks)).containsExactly("a");
        assertThat(picks.getFirst().cause()).isEqualTo(MarkMigrating.Cause.ALWAYS);
        assertThat(picks.getFirst().numbers()).isEmpty();
        assertThat(picks.getFirst().reason()).startsWith("labelled to move whenever it can");
    }

    @Test
    void aMigrationThatSucceededDoesNotKeepItButOneThatFailedDoes() {
        var books = node("n1", member("a", 1_000).always().load(0.1).books());
        around.resting.put("a", new Cooldown(Duration.ofSeconds(60), "its last migration"));
        assertThat(ChoiceRules.always(books, around)).isEmpty();

        around.movedRests = true;
        assertThat(names(ChoiceRules.always(books, around))).containsExactly("a");
    }

    @Test
    void budgetsHoldForThoseToo() {
        var books = node(
                "n1",
                member("a", 100).always().load(1).books(),
                member("b", 100).always().load(1).books(),
                member("c", 100).always().load(1).books());

        assertThat(names(ChoiceRules.always(books, around))).containsExactly("a", "b");
        around.rooms.heard(node("n2", member("x", 7_950).books()), 1);
        assertThat(ChoiceRules.always(books, around)).isEmpty();
    }
}
