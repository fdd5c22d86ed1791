package io.sluice.pressure.core.choice;

import static io.sluice.pressure.Given.cpu;
import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.pods;
import static io.sluice.pressure.Given.reservation;
import static io.sluice.pressure.Given.withPlaces;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which VMs leave a node, in which order, and when no more leave. */
class ChoiceRulesTest {
    private static final NodeLedgerView EMPTY = node("n2");

    private final GivenAround around = new GivenAround(EMPTY);

    private static List<String> names(List<Pick> picks) {
        return picks.stream().map(pick -> pick.reservation().pod()).toList();
    }

    private List<String> chosen(NodeLedgerView ledger) {
        return names(ChoiceRules.choose(ledger, around).picks());
    }

    private NoChoice none(NodeLedgerView ledger) {
        return ChoiceRules.choose(ledger, around).none().orElseThrow();
    }

    @Test
    void noVmLeavesANodeThatIsNotUnderPressure() {
        var ledger = node(
                "n1", reservation("a", 4_000).ledger(), reservation("b", 4_000).ledger());

        assertThat(ChoiceRules.choose(ledger, around)).isEqualTo(Choice.NONE);
    }

    @Test
    void theLeastLoadedLeaveUntilThePressureIsAccountedForAndNoMore() {
        var ledger = node(
                "n1",
                reservation("busy", 3_000).load(3).ledger(),
                reservation("idle", 1_500).load(0.5).ledger(),
                reservation("unknown", 2_000).createdAt(1).ledger(),
                reservation("calm", 3_000).load(1).ledger());

        var picks = ChoiceRules.choose(ledger, around).picks();

        assertThat(names(picks)).containsExactly("idle");
        assertThat(picks.getFirst().to()).isEqualTo("n2");
        assertThat(picks.getFirst().cause()).isEqualTo(MarkMigrating.Cause.PRESSURE);
        assertThat(picks.getFirst().numbers()).contains(PressureNumbers.of(ledger));
        assertThat(picks.getFirst().reason())
                .isEqualTo(
                        "the node's excess is cpu 1500m, memory 1500Mi; load 0.50, the lowest of 4 that could leave; "
                                + "n2 would then have 1500m/1500Mi reserved, its watermark is 8/8000Mi");
    }

    @Test
    @DisplayName("G10: of a gang one member leaves at a time, for pressure or because it is labelled to")
    void membersOfOneGangLeaveOneAtATime() {
        around.budgets(10, 10);
        var ledger = node(
                "n1",
                reservation("a", 3_000).load(1).always().ledger(),
                reservation("b", 3_000).load(2).always().ledger(),
                reservation("c", 5_000).load(3).ledger());
        List.of("a", "b").forEach(pod -> around.gangs.put(pod, new KnownGang("ns/g", Optional.empty())));

        assertThat(names(ChoiceRules.choose(ledger, around).picks())).containsExactly("a");
        assertThat(names(ChoiceRules.always(ledger, around))).containsExactly("a");
        around.gangs.clear();
        assertThat(names(ChoiceRules.always(ledger, around))).containsExactly("a", "b");
    }

    @Test
    void noVmGoesToANodeThatIsCordonedAndTheReasonShowsIt() {
        var ledger = node(
                "n1",
                reservation("a", 2_000).load(1).ledger(),
                reservation("r", 7_000).fixed().ledger());
        around.closed.put("n2", "cordoned");

        assertThat(none(ledger).cause()).isEqualTo(Obstacle.CLOSED);
        assertThat(none(ledger).reason()).contains("is closed to it: n2 is cordoned");

        around.rooms.received(node("n3", reservation("x", 5_000).ledger()), 0);
        var pick = ChoiceRules.choose(ledger, around).picks().getFirst();
        assertThat(pick.to()).as("fuller, but open").isEqualTo("n3");
        assertThat(pick.reason()).endsWith("; n2 is cordoned");
    }

    @Test
    void aNodeTakesNoMoreVmsThanItHasPlacesForPods() {
        var ledger = node(
                "n1",
                reservation("a", 1_000).load(1).taking(pods(1)).ledger(),
                reservation("b", 1_000).load(2).taking(pods(1)).ledger(),
                reservation("r", 7_500).fixed().ledger());
        around.rooms.received(withPlaces(node("n2"), 110, 109), 0);
        around.rooms.received(withPlaces(node("n3", reservation("x", 5_000).ledger()), 110, 1), 0);

        var picks = ChoiceRules.choose(ledger, around).picks();
        assertThat(picks).extracting(Pick::to).containsExactly("n2", "n3");
        assertThat(picks.getLast().reason()).endsWith("; n2 is short of pods by 1");

        around.promised.put("n2", new RoomAmounts(Resources.NONE, pods(1)));
        around.rooms.received(withPlaces(node("n3"), 110, 110), 0);
        assertThat(none(ledger).cause()).isEqualTo(Obstacle.CLOSED);
        assertThat(none(ledger).reason())
                .contains("every node with CPU and memory for it is closed to it: "
                        + "n2 is short of pods by 1, n3 is short of pods by 1");
    }

    @Test
    void aVmThatIsLabelledToMoveWheneverItCanDoesNotMoveToAClosedNode() {
        var ledger = node("n1", reservation("a", 2_000).load(1).always().ledger());
        assertThat(names(ChoiceRules.always(ledger, around))).containsExactly("a");
        around.closed.put("n2", "not ready");

        assertThat(ChoiceRules.always(ledger, around)).isEmpty();
        assertThat(MigrationRanking.rank(ledger, around).ranks())
                .singleElement()
                .satisfies(rank -> assertThat(rank.reason()).endsWith("n2 is not ready"));
    }

    @Test
    void ofThoseWithoutMetricsTheOlderLeaveFirstAndAfterThoseWith() {
        var ledger = node(
                "n1",
                reservation("young", 500).createdAt(9).ledger(),
                reservation("old", 500).createdAt(2).ledger(),
                reservation("measured", 500).load(7).createdAt(10).ledger(),
                reservation("rest", 8_000).fixed().ledger());

        around.budgets(10, 10);
        assertThat(chosen(ledger)).containsExactly("measured", "old", "young");
    }

    @Test
    void equalLoadsGoByAgeAndEqualAgesByName() {
        var ledger = node(
                "n1",
                reservation("c", 500).load(1).createdAt(5).ledger(),
                reservation("b", 500).load(1).createdAt(5).ledger(),
                reservation("a", 500).load(1).createdAt(6).ledger(),
                reservation("rest", 7_500).fixed().ledger());

        assertThat(chosen(ledger)).containsExactly("b", "c");
    }

    @Test
    void theOldestLeaveFirstUnderThatPolicy() {
        var ledger = node(
                "n1",
                reservation("idle", 1_000).load(0).createdAt(9).ledger(),
                reservation("old", 1_000).load(5).createdAt(1).ledger(),
                reservation("rest", 7_000).fixed().ledger());

        around.policy(Policy.OLDEST);
        assertThat(chosen(ledger)).containsExactly("old");
    }

    @Test
    void theOneThatUsesLeastLeavesFirstUnderThatPolicyAndOneOfUnknownUseLast() {
        var ledger = node(
                "n1",
                reservation("unknown", 600).load(0).createdAt(1).ledger(),
                reservation("busy", 600).load(1).createdAt(2).ledger(),
                reservation("idle", 600).load(5).createdAt(3).ledger(),
                reservation("rest", 7_200).fixed().ledger());
        around.use.put("busy", cpu(550));
        around.use.put("idle", cpu(50));

        around.policy(Policy.LOWEST_USE);
        assertThat(chosen(ledger)).containsExactly("idle", "busy");
    }

    @Test
    void theSmallestThatIsEnoughAloneLeavesUnderBestFit() {
        var ledger = node(
                "n1",
                reservation("small", 500).ledger(),
                reservation("fitting", 1_100).ledger(),
                reservation("large", 3_000).ledger(),
                reservation("rest", 4_400).fixed().ledger());

        around.policy(Policy.BEST_FIT);
        assertThat(chosen(ledger)).containsExactly("fitting");
    }

    @Test
    void whereNoneIsEnoughAloneTheOneThatHelpsMostGoesFirstUnderBestFit() {
        var ledger = node(
                "n1",
                reservation("small", 500).ledger(),
                reservation("middle", 700).ledger(),
                reservation("large", 900).ledger(),
                reservation("rest", 7_400).fixed().ledger());

        around.policy(Policy.BEST_FIT);
        assertThat(chosen(ledger))
                .as("900 of 1500 leave 600: 700 is enough, 500 is not")
                .containsExactly("large", "middle");
    }

    @Test
    void whatIsRefusedCountsWithTheVmThatRequestedIt() {
        var ledger = node(
                "n1",
                reservation("a", 2_000).load(1).pressure(cpu(1_000)).ledger(),
                reservation("b", 2_000).load(2).ledger(),
                reservation("rest", 6_000).fixed().ledger());
        assertThat(PressureBalance.of(ledger).excess()).isEqualTo(cpu(3_000));

        assertThat(chosen(ledger)).as("2 reserved and 1 requested make 3").containsExactly("a");
    }

    @Test
    void vmsThatLeaveAlreadyAreAccountedForWhateverTheLedgerShows() {
        var ledger = node(
                "n1",
                reservation("a", 1_000).load(1).ledger(),
                reservation("b", 1_000).load(2).ledger(),
                reservation("rest", 7_000).fixed().ledger());
        around.engaged.put("a", MigrationInvolvement.LEAVING);

        assertThat(ChoiceRules.choose(ledger, around)).isEqualTo(Choice.NONE);
    }

    @Test
    void aMarkThatTheLedgerShowsIsNotCountedTwice() {
        var ledger = node(
                "n1",
                reservation("a", 1_000).migrating().ledger(),
                reservation("b", 1_000).load(2).ledger(),
                reservation("rest", 8_000).fixed().ledger());
        around.engaged.put("a", MigrationInvolvement.LEAVING);

        assertThat(chosen(ledger)).containsExactly("b");
    }

    @Test
    void twoSourcesDoNotCountOnTheSameRoom() {
        var ledger = node(
                "n1",
                reservation("a", 1_000).load(1).ledger(),
                reservation("b", 1_000).load(2).ledger(),
                reservation("rest", 8_000).fixed().ledger());
        around.rooms.received(node("n2", reservation("x", 6_500).ledger()), 1);
        around.rooms.received(node("n3", reservation("y", 6_800).ledger()), 1);

        assertThat(ChoiceRules.choose(ledger, around).picks())
                .extracting(Pick::to)
                .containsExactly("n2", "n3");
    }

    @Test
    void aVmThatNoNodeCanTakeIsPassedOver() {
        var ledger = node(
                "n1",
                reservation("large", 3_000).load(1).ledger(),
                reservation("small", 1_500).load(2).ledger(),
                reservation("rest", 5_000).fixed().ledger());
        around.rooms.received(node("n2", reservation("x", 6_000).ledger()), 1);

        assertThat(chosen(ledger)).containsExactly("small");
    }

    @Test
    void aVmThatHoldsNothingOfWhatThereIsTooMuchOfStays() {
        var ledger = node(
                "n1",
                reservation("cpu only", 0)
                        .load(0)
                        .reserved(new Resources(2_000, 0))
                        .ledger(),
                reservation("rest", 0)
                        .fixed()
                        .reserved(new Resources(0, cpu(9_000).memoryBytes()))
                        .ledger());

        var none = none(ledger);

        assertThat(none.cause()).isEqualTo(Obstacle.NO_RELIEF);
        assertThat(none.reason()).contains("prod/cpu only: its migration would not lower the excess");
    }

    @Test
    void theBudgetOfTheNodeEndsTheChoice() {
        var ledger = node(
                "n1",
                reservation("a", 500).load(1).ledger(),
                reservation("b", 500).load(2).ledger(),
                reservation("c", 500).load(3).ledger(),
                reservation("rest", 8_000).fixed().ledger());
        assertThat(chosen(ledger)).containsExactly("a", "b");

        around.engaged.put("a", MigrationInvolvement.LEAVING);
        assertThat(chosen(ledger)).containsExactly("b");

        around.engaged.put("b", MigrationInvolvement.LEAVING);
        assertThat(none(ledger).cause()).isEqualTo(Obstacle.NODE_BUDGET);
        assertThat(none(ledger).reason()).isEqualTo("the limit of VMs that leave the node at once is reached: 2 of 2");
    }

    @Test
    void theBudgetOfAllEndsTheChoice() {
        var ledger = node(
                "n1",
                reservation("a", 500).load(1).ledger(),
                reservation("b", 500).load(2).ledger(),
                reservation("rest", 8_000).fixed().ledger());
        around.budgets(2, 3).underWay = 2;
        assertThat(chosen(ledger)).containsExactly("a");

        around.underWay = 3;
        assertThat(none(ledger).reason()).isEqualTo("the limit of migrations under way is reached: 3 of 3");
    }

    @Test
    void noVmMovesWhilePausedOrBeforeTheMigrationsAreKnown() {
        var ledger = node(
                "n1",
                reservation("a", 9_000).ledger(),
                reservation("always", 10).always().load(1).ledger());
        around.listed = false;
        assertThat(none(ledger).cause()).isEqualTo(Obstacle.NOT_LISTED);
        assertThat(ChoiceRules.always(ledger, around)).isEmpty();

        around.listed = true;
        around.paused();
        assertThat(none(ledger).reason()).isEqualTo("migrations are paused");
        assertThat(ChoiceRules.always(ledger, around)).isEmpty();
    }

    @Test
    void aVmThatIsLabelledToMoveAlwaysMovesOnceItHasReportedMetrics() {
        var ledger = node("n1", reservation("a", 1_000).always().fixed().ledger());
        assertThat(ChoiceRules.always(ledger, around)).isEmpty();

        ledger = node("n1", reservation("a", 1_000).always().fixed().load(0.1).ledger());
        var picks = ChoiceRules.always(ledger, around);

        assertThat(names(picks)).containsExactly("a");
        assertThat(picks.getFirst().cause()).isEqualTo(MarkMigrating.Cause.ALWAYS);
        assertThat(picks.getFirst().numbers()).isEmpty();
        assertThat(picks.getFirst().reason()).startsWith("labelled to migrate whenever possible");
    }

    @Test
    void aMigrationThatSucceededDoesNotKeepItButOneThatFailedDoes() {
        var ledger = node("n1", reservation("a", 1_000).always().load(0.1).ledger());
        around.resting.put("a", new Cooldown(Duration.ofSeconds(60), "its last migration"));
        assertThat(ChoiceRules.always(ledger, around)).isEmpty();

        around.movedRests = true;
        assertThat(names(ChoiceRules.always(ledger, around))).containsExactly("a");
    }

    @Test
    void budgetsHoldForThoseToo() {
        var ledger = node(
                "n1",
                reservation("a", 100).always().load(1).ledger(),
                reservation("b", 100).always().load(1).ledger(),
                reservation("c", 100).always().load(1).ledger());

        assertThat(names(ChoiceRules.always(ledger, around))).containsExactly("a", "b");
        around.rooms.received(node("n2", reservation("x", 7_950).ledger()), 1);
        assertThat(ChoiceRules.always(ledger, around)).isEmpty();
    }
}
