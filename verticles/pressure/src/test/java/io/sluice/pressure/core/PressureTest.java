package io.sluice.pressure.core;

import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.pod;
import static io.sluice.pressure.Given.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.actions.MigrationRequest;
import io.sluice.pressure.core.actions.PressureAction.Look;
import io.sluice.pressure.core.actions.PressureNotice;
import io.sluice.pressure.core.choice.Obstacle;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.shell.load.LoadPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When ledgers are requested, which VMs are chosen from them, and what is published. */
class PressureTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final NodeLedgerView STUCK = node(
            "n1",
            reservation("a", 9_000).reserved(Given.cpu(7_500)).fixed().ledger(),
            reservation("b", 1_500).fixed().ledger());

    private final PressureRig rig = PressureRig.listed();

    private void changed(NodeLedgerView ledger) {
        rig.on(new PressureEvent.NodeChanged(Given.withoutMembers(ledger)));
    }

    private long looksAt(String node) {
        return rig.looks.stream().filter(look -> look.node().equals(node)).count();
    }

    @Test
    void aNodeUnderPressureIsLookedAtOnceASecondAtMostAndOneLookAtATime() {
        changed(STUCK);
        changed(STUCK);
        assertThat(rig.looks).extracting(Look::node).containsExactly("n1");
        rig.answerLooks(STUCK);
        changed(STUCK);
        assertThat(rig.looks).isEmpty();
        rig.after(SECOND);
        assertThat(looksAt("n1")).isEqualTo(1);
        rig.after(SECOND);
        changed(STUCK);
        rig.after(SECOND);
        assertThat(looksAt("n1")).as("the last one has no reply").isEqualTo(1);
    }

    /** n2 has less reserved than n3, and all of it is in use; the VMs of n3 are idle. */
    @Test
    void aVmGoesWhereLeastIsInUseIfTargetsAreChosenSo() {
        var full = node(
                "n1",
                reservation("a", 2_000).load(1).ledger(),
                reservation("r", 7_000).fixed().ledger());
        rig.on(new PressureEvent.RulesChanged(new PressureRules(
                false,
                Policy.LOWEST_LOAD,
                LoadPolicy.SPREAD,
                2,
                10,
                Duration.ofMinutes(10),
                Duration.ofMinutes(1),
                Duration.ofHours(1))));
        rig.observed(Given.vm("a", "n1", 1));
        changed(node("n2", reservation("b", 3_000).ledger()));
        changed(node("n3", reservation("c", 4_000).ledger()));
        rig.on(new PressureEvent.StatusReceived(Given.status("b", "n2", 3_000, 3)));
        rig.on(new PressureEvent.StatusReceived(Given.status("c", "n3", 4_000, 0)));
        changed(full);
        rig.answerLooks(full);

        assertThat(rig.request(MigrationRequest.Hold.class).message().node()).isEqualTo("n3");
    }

    @Test
    void aNodeIsChosenForOnceItIsNoLongerCordoned() {
        var full = node(
                "n1",
                reservation("a", 2_000).load(1).ledger(),
                reservation("r", 7_000).fixed().ledger());
        rig.observed(Given.vm("a", "n1", 1));
        rig.on(new PressureEvent.NodeReceived(
                new NodeObserved("n2", 5, Given.cpu(10_000), "cordoned", List.of(), true)));
        rig.on(new PressureEvent.NodeReceived(new NodeObserved("n2", 4, Given.cpu(10_000))));
        changed(node("n2"));
        changed(full);
        rig.answerLooks(full);
        assertThat(rig.requests(MigrationRequest.Hold.class)).isFalse();
        assertThat(rig.reported.getLast().reason()).contains("n2 is cordoned");

        rig.on(new PressureEvent.NodeReceived(new NodeObserved("n2", 6, Given.cpu(10_000))));
        rig.after(SECOND);
        changed(full);
        rig.answerLooks(full);
        assertThat(rig.requests(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void aLookThatIsLostIsRepeated() {
        changed(STUCK);
        rig.loseLooks();
        rig.after(SECOND);

        assertThat(looksAt("n1")).isEqualTo(1);
    }

    @Test
    void aNodeThatIsNotUnderPressureIsNotLookedAtForItself() {
        changed(node("n1", reservation("a", 1_000).ledger()));
        assertThat(rig.looks).isEmpty();
    }

    @Test
    void allNodesAreLookedAtNowAndThenInCaseAnEventWasLost() {
        rig.observed(Given.vm("a", "n1", 1));
        rig.after(Duration.ofSeconds(14));
        assertThat(rig.looks).isEmpty();
        rig.after(SECOND);
        assertThat(looksAt("")).isEqualTo(1);
        rig.answerLooks(
                node(
                        "n1",
                        reservation("a", 2_000).load(1).ledger(),
                        reservation("r", 7_000).fixed().ledger()),
                node("n2"));

        assertThat(rig.requests(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void anAnswerToALookThatIsNotOpenCountsForNothing() {
        rig.observed(Given.vm("a", "n1", 1));
        var full = node(
                "n1",
                reservation("a", 2_000).load(1).ledger(),
                reservation("r", 7_000).fixed().ledger());
        rig.on(new PressureEvent.Looked(4_711, new Snapshot(List.of(full))));

        assertThat(rig.requested).isEmpty();
    }

    @Test
    void whyNoVmMovesIsReportedWhenItChangesAndOnceAMinute() {
        rig.pressed(STUCK);
        assertThat(rig.reportedKinds()).containsExactly(Kind.NONE_MOVES);
        assertThat(rig.lastReported().numbers()).isPresent();
        for (int i = 0; i < 5; i++) {
            rig.after(SECOND);
            rig.pressed(STUCK);
        }
        assertThat(rig.reported).hasSize(1);
        rig.pressed(node(
                "n1",
                reservation("a", 7_500).reserved(Given.cpu(7_500)).fixed().ledger(),
                reservation("b", 1_500).recovered().ledger()));
        assertThat(rig.reported).as("another reason").hasSize(2);
        rig.after(Duration.ofSeconds(60));
        rig.pressed(node(
                "n1",
                reservation("a", 7_500).reserved(Given.cpu(7_500)).fixed().ledger(),
                reservation("b", 1_500).recovered().ledger()));
        assertThat(rig.reported).as("a minute later").hasSize(3);
        assertThat(rig.recorded).contains(new PressureNotice.NoneMoves("n1", Obstacle.NOT_MIGRATABLE));
    }

    @Test
    void pressureThatComesAndGoesIsReportedOnceAMinute() {
        rig.pressed(STUCK);
        changed(node("n1"));
        rig.pressed(STUCK);
        assertThat(rig.reported).hasSize(1);

        changed(node("n1"));
        rig.after(Duration.ofSeconds(60));
        rig.pressed(STUCK);
        assertThat(rig.reported).hasSize(2);
    }

    @Test
    void noVmMovesBeforeTheMigrationsWereListed() {
        var deaf = new PressureRig();
        deaf.observed(Given.vm("a", "n1", 1));
        deaf.pressed(node(
                "n1",
                reservation("a", 2_000).ledger(),
                reservation("r", 7_000).fixed().ledger()));
        assertThat(deaf.requested).isEmpty();
        assertThat(deaf.lastReported().reason()).isEqualTo("no full list of the migrations was received yet");

        deaf.fullList();
        deaf.after(SECOND);
        deaf.answerLooks(
                node(
                        "n1",
                        reservation("a", 2_000).ledger(),
                        reservation("r", 7_000).fixed().ledger()),
                node("n2"));
        deaf.pressed(node(
                "n1",
                reservation("a", 2_000).ledger(),
                reservation("r", 7_000).fixed().ledger()));
        assertThat(deaf.requests(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void theBudgetOfAllHoldsAcrossNodes() {
        for (int n = 1; n <= 12; n++) {
            rig.observed(Given.vm("vm" + n, "full" + n, 1));
            rig.pressed(node(
                    "full" + n,
                    reservation("vm" + n, 500).load(1).ledger(),
                    reservation("r" + n, 7_800).fixed().ledger()));
        }

        assertThat(rig.requested).hasSize(10);
        assertThat(rig.pressure.underWay()).isEqualTo(10);
        assertThat(rig.lastReported().reason()).isEqualTo("the limit of migrations under way is reached: 10 of 10");
    }

    @Test
    void roomThatIsHeldCountsUntilTheSumsOfItsNodeShowIt() {
        rig.on(new PressureEvent.NodeChanged(node("n2", reservation("x", 6_500).ledger())));
        rig.observed(Given.vm("a", "n1", 1));
        rig.observed(Given.vm("b", "n3", 1));
        rig.pressed(node(
                "n1",
                reservation("a", 1_000).load(1).ledger(),
                reservation("r", 7_500).fixed().ledger()));
        assertThat(rig.request(MigrationRequest.Hold.class).message().node()).isEqualTo("n2");
        var other = node(
                "n3",
                reservation("b", 1_000).load(1).ledger(),
                reservation("s", 7_500).fixed().ledger());
        changed(other);
        rig.answerLooks(other);
        assertThat(rig.lastReported().kind()).as("no reply yet").isEqualTo(Kind.NONE_MOVES);

        rig.held();
        assertThat(looksAt("n2")).as("whether its sums show it").isEqualTo(1);
        rig.on(new PressureEvent.NodeChanged(node(
                "n2", reservation("x", 6_500).ledger(), reservation("h", 400).ledger())));
        rig.after(SECOND);
        changed(other);
        rig.answerLooks(other);
        assertThat(rig.requests(MigrationRequest.Hold.class))
                .as("the sums show it: 6900 and 1000")
                .isTrue();
    }

    @Test
    void aVmThatIsLabelledToMoveAlwaysMovesFromANodeWithoutPressure() {
        rig.observed(Given.vm("a", "a", "n1", 1, true));
        rig.observed(pod("a", "a", "n1", ""));
        var ledger = node("n1", reservation("a", 500).always().load(0.1).ledger());
        changed(ledger);
        rig.answerLooks(ledger);
        rig.held();

        assertThat(rig.request(MigrationRequest.Mark.class).message().cause()).isEqualTo(MarkMigrating.Cause.ALWAYS);
        rig.marked(500);
        rig.begun("a");
        assertThat(rig.lastReported().kind()).isEqualTo(Kind.MOVING);
        assertThat(rig.lastReported().numbers()).isEmpty();
    }

    @Test
    void reportsItsStatus() {
        rig.pressed(STUCK);
        var view = rig.pressure.view(rig.now);

        assertThat(rig.pressure.pressedNodes()).isEqualTo(1);
        assertThat(view.listed()).isTrue();
        assertThat(view.rules()).isEqualTo(PressureRig.RULES);
        assertThat(view.nodes()).extracting(room -> room.node()).containsExactly("n1", "n2");
        assertThat(view.resting()).isEmpty();
    }

    @Test
    void ranksByTheRulesOfNow() {
        rig.observed(Given.vm("a", "n1", 1));
        var ranking = rig.pressure.rank(node("n1", reservation("a", 1_000).ledger()), rig.now);

        assertThat(ranking.ranks())
                .singleElement()
                .satisfies(rank -> assertThat(rank.candidate()).isTrue());
    }
}
