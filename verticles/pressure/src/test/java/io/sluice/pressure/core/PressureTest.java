package io.sluice.pressure.core;

import static io.sluice.pressure.Given.member;
import static io.sluice.pressure.Given.node;
import static io.sluice.pressure.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.pressure.PressureDecision.Kind;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.choice.Obstacle;
import io.sluice.pressure.core.migrations.MigrationRequest;
import io.sluice.pressure.core.migrations.PressureAction.Look;
import io.sluice.pressure.core.migrations.PressureNotice;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When books are looked at, who is chosen by what they show, and what is told. */
class PressureTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final NodeLedgerView STUCK = node(
            "n1",
            member("a", 9_000).reserved(Given.cpu(7_500)).fixed().books(),
            member("b", 1_500).fixed().books());

    private final PressureRig rig = PressureRig.listed();

    private void changed(NodeLedgerView books) {
        rig.on(new PressureEvent.NodeChanged(Given.withoutMembers(books)));
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
        assertThat(looksAt("n1")).as("the last is not answered").isEqualTo(1);
    }

    @Test
    void aNodeIsChosenForOnceItIsNoLongerCordoned() {
        var full = node(
                "n1",
                member("a", 2_000).load(1).books(),
                member("r", 7_000).fixed().books());
        rig.seen(Given.vm("a", "n1", 1));
        rig.on(new PressureEvent.NodeReceived(
                new NodeObserved("n2", 5, Given.cpu(10_000), "cordoned", List.of(), true)));
        rig.on(new PressureEvent.NodeReceived(new NodeObserved("n2", 4, Given.cpu(10_000))));
        changed(node("n2"));
        changed(full);
        rig.answerLooks(full);
        assertThat(rig.asks(MigrationRequest.Hold.class)).isFalse();
        assertThat(rig.told.getLast().reason()).contains("n2 is cordoned");

        rig.on(new PressureEvent.NodeReceived(new NodeObserved("n2", 6, Given.cpu(10_000))));
        rig.after(SECOND);
        changed(full);
        rig.answerLooks(full);
        assertThat(rig.asks(MigrationRequest.Hold.class)).isTrue();
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
        changed(node("n1", member("a", 1_000).books()));
        assertThat(rig.looks).isEmpty();
    }

    @Test
    void allNodesAreLookedAtNowAndThenInCaseAnEventWasLost() {
        rig.seen(Given.vm("a", "n1", 1));
        rig.after(Duration.ofSeconds(14));
        assertThat(rig.looks).isEmpty();
        rig.after(SECOND);
        assertThat(looksAt("")).isEqualTo(1);
        rig.answerLooks(
                node(
                        "n1",
                        member("a", 2_000).load(1).books(),
                        member("r", 7_000).fixed().books()),
                node("n2"));

        assertThat(rig.asks(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void anAnswerToALookThatIsNotOpenCountsForNothing() {
        rig.seen(Given.vm("a", "n1", 1));
        var full = node(
                "n1",
                member("a", 2_000).load(1).books(),
                member("r", 7_000).fixed().books());
        rig.on(new PressureEvent.Looked(4_711, new Snapshot(List.of(full))));

        assertThat(rig.asked).isEmpty();
    }

    @Test
    void whyNobodyMovesIsToldWhenItChangesAndOnceAMinute() {
        rig.pressed(STUCK);
        assertThat(rig.toldKinds()).containsExactly(Kind.NOBODY_MOVES);
        assertThat(rig.lastTold().numbers()).isPresent();
        for (int i = 0; i < 5; i++) {
            rig.after(SECOND);
            rig.pressed(STUCK);
        }
        assertThat(rig.told).hasSize(1);
        rig.pressed(node(
                "n1",
                member("a", 7_500).reserved(Given.cpu(7_500)).fixed().books(),
                member("b", 1_500).recovered().books()));
        assertThat(rig.told).as("another reason").hasSize(2);
        rig.after(Duration.ofSeconds(60));
        rig.pressed(node(
                "n1",
                member("a", 7_500).reserved(Given.cpu(7_500)).fixed().books(),
                member("b", 1_500).recovered().books()));
        assertThat(rig.told).as("a minute later").hasSize(3);
        assertThat(rig.noted).contains(new PressureNotice.NobodyMoves("n1", Obstacle.NOT_MIGRATABLE));
    }

    @Test
    void pressureThatComesAndGoesIsToldOnceAMinute() {
        rig.pressed(STUCK);
        changed(node("n1"));
        rig.pressed(STUCK);
        assertThat(rig.told).hasSize(1);

        changed(node("n1"));
        rig.after(Duration.ofSeconds(60));
        rig.pressed(STUCK);
        assertThat(rig.told).hasSize(2);
    }

    @Test
    void nobodyMovesBeforeWhatMigrationsThereAreWasHeard() {
        var deaf = new PressureRig();
        deaf.seen(Given.vm("a", "n1", 1));
        deaf.pressed(node(
                "n1", member("a", 2_000).books(), member("r", 7_000).fixed().books()));
        assertThat(deaf.asked).isEmpty();
        assertThat(deaf.lastTold().reason()).isEqualTo("what migrations there are was not heard yet");

        deaf.listing();
        deaf.after(SECOND);
        deaf.answerLooks(
                node(
                        "n1",
                        member("a", 2_000).books(),
                        member("r", 7_000).fixed().books()),
                node("n2"));
        deaf.pressed(node(
                "n1", member("a", 2_000).books(), member("r", 7_000).fixed().books()));
        assertThat(deaf.asks(MigrationRequest.Hold.class)).isTrue();
    }

    @Test
    void theBudgetOfAllHoldsAcrossNodes() {
        for (int n = 1; n <= 12; n++) {
            rig.seen(Given.vm("vm" + n, "full" + n, 1));
            rig.pressed(node(
                    "full" + n,
                    member("vm" + n, 500).load(1).books(),
                    member("r" + n, 7_800).fixed().books()));
        }

        assertThat(rig.asked).hasSize(10);
        assertThat(rig.pressure.underWay()).isEqualTo(10);
        assertThat(rig.lastTold().reason()).isEqualTo("as many migrations are under way as may be at once: 10 of 10");
    }

    @Test
    void roomThatIsHeldCountsUntilTheSumsOfItsNodeShowIt() {
        rig.on(new PressureEvent.NodeChanged(node("n2", member("x", 6_500).books())));
        rig.seen(Given.vm("a", "n1", 1));
        rig.seen(Given.vm("b", "n3", 1));
        rig.pressed(node(
                "n1",
                member("a", 1_000).load(1).books(),
                member("r", 7_500).fixed().books()));
        assertThat(rig.question(MigrationRequest.Hold.class).message().node()).isEqualTo("n2");
        var other = node(
                "n3",
                member("b", 1_000).load(1).books(),
                member("s", 7_500).fixed().books());
        changed(other);
        rig.answerLooks(other);
        assertThat(rig.lastTold().kind()).as("not answered yet").isEqualTo(Kind.NOBODY_MOVES);

        rig.held();
        assertThat(looksAt("n2")).as("whether its sums show it").isEqualTo(1);
        rig.on(new PressureEvent.NodeChanged(
                node("n2", member("x", 6_500).books(), member("h", 400).books())));
        rig.after(SECOND);
        changed(other);
        rig.answerLooks(other);
        assertThat(rig.asks(MigrationRequest.Hold.class))
                .as("the sums show it: 6900 and 1000")
                .isTrue();
    }

    @Test
    void whoeverIsLabelledToMoveAlwaysMovesFromANodeWithoutPressure() {
        rig.seen(Given.vm("a", "a", "n1", 1, true));
        rig.seen(pod("a", "a", "n1", ""));
        var books = node("n1", member("a", 500).always().load(0.1).books());
        changed(books);
        rig.answerLooks(books);
        rig.held();

        assertThat(rig.question(MigrationRequest.Mark.class).message().cause()).isEqualTo(MarkMigrating.Cause.ALWAYS);
        rig.marked(500);
        rig.begun("a");
        assertThat(rig.lastTold().kind()).isEqualTo(Kind.MOVING);
        assertThat(rig.lastTold().numbers()).isEmpty();
    }

    @Test
    void saysHowThingsStand() {
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
        rig.seen(Given.vm("a", "n1", 1));
        var ranking = rig.pressure.rank(node("n1", member("a", 1_000).books()), rig.now);

        assertThat(ranking.ranks())
                .singleElement()
                .satisfies(rank -> assertThat(rank.candidate()).isTrue());
    }
}
