package io.sluice.gateway.core.console;

import static io.sluice.gateway.core.console.fleet.ConsoleFeed.NOW;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.denied;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.id;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.node;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.pressure;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.status;
import static io.sluice.gateway.core.console.fleet.ConsoleFeed.vm;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.console.fleet.ConsoleFeed;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.Ranking;
import io.sluice.shell.explain.Explanation;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FleetModelTest {
    private static final Optional<Instant> AS_IT_IS = Optional.empty();
    private static final Optional<Ranking> NONE_RANKS = Optional.empty();

    private final FleetModel fleet = new FleetModel();

    @BeforeEach
    void listed() {
        fleet.received(node("node-c", 40), NOW);
        fleet.received(vm("a", "node-c", 1), NOW);
    }

    @Test
    void explainsTheStatusOfAVmAndHowItCameToThat() {
        fleet.received(status("a", Waiting.NOTHING, 0, ""), NOW);
        fleet.received(denied("a", "node-c"), NOW.plusSeconds(10));
        fleet.received(status("a", Waiting.ROOM, 0, ""), NOW.plusSeconds(10));
        var why = known(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, NOW.plusSeconds(22)));
        assertThat(why.subject()).isEqualTo("default/a");
        assertThat(why.sentence())
                .contains("short by 250m CPU and 1Gi memory on node-c")
                .endsWith("for 12 s");
        assertThat(why.since()).contains(NOW.plusSeconds(10));
        assertThat(why.reasons()).extracting(Explanation::kind).containsExactly("ROOM", "DENIED", "NOTHING");
        assertThat(why.reasons().getFirst().until()).isEmpty();
        assertThat(why.reasons().getLast().until()).contains(NOW.plusSeconds(10));
        assertThat(why.reasons().getLast().cause()).startsWith("has what its load needs");
    }

    @Test
    void explainsTheStatusThatAVmHadThen() {
        fleet.received(status("a", Waiting.ROOM, 0, ""), NOW);
        fleet.received(status("a", Waiting.NOTHING, 0, ""), NOW.plusSeconds(60));
        fleet.received(denied("a", "node-c"), NOW.plusSeconds(90));
        fleet.received(status("a", Waiting.DENIED_DOWNSCALE, 0, "no"), NOW.plusSeconds(120));
        var then = known(fleet.whyVm("a", Optional.of(NOW.plusSeconds(30)), NONE_RANKS, NOW.plusSeconds(180)));
        assertThat(then.sentence()).contains("short by 250m CPU").endsWith("for 1 min");
        assertThat(then.since()).contains(NOW);
        assertThat(then.reasons()).extracting(Explanation::kind).containsExactly("ROOM");
        var still = known(fleet.whyVm("a", Optional.of(NOW.plusSeconds(150)), NONE_RANKS, NOW.plusSeconds(180)));
        assertThat(still.sentence())
                .startsWith("its monitor has denied the downscale")
                .contains("for 30 s")
                .endsWith("; the numbers are those last reported");
        var before = known(fleet.whyVm("a", Optional.of(NOW.minusSeconds(1)), NONE_RANKS, NOW.plusSeconds(180)));
        assertThat(before.sentence()).isEqualTo("no state of that time is kept");
        assertThat(before.reasons()).isEmpty();
    }

    @Test
    void reportsTheNumbersOfThenWhereTheNodeHasRoomAgain() {
        fleet.received(status("a", Waiting.ROOM, 0, ""), NOW);
        fleet.received(node("node-c", 10), NOW.plusSeconds(5));
        fleet.received(status("a", Waiting.NOTHING, 0, ""), NOW.plusSeconds(6));
        var why = known(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, NOW.plusSeconds(60)));
        assertThat(why.reasons().getLast().cause()).contains("(10000m of 10000m and 40Gi of 40Gi reserved) for 6 s");
    }

    @Test
    void remembersNoStepsOnTheWay() {
        fleet.received(status("a", Waiting.PERMIT, 0, ""), NOW);
        fleet.received(status("a", Waiting.PATCH, 0, ""), NOW.plusMillis(300));
        fleet.received(status("a", Waiting.NOTHING, 0, ""), NOW.plusMillis(600));
        assertThat(known(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, NOW.plusSeconds(9)))
                        .reasons())
                .extracting(Explanation::kind)
                .containsExactly("NOTHING");
    }

    @Test
    void reportsThatAVmWouldNotLeaveAndWhy() {
        var cooling = ranks("pod-a", false, "moved 42 s ago: cool-down for 558 s more");
        fleet.received(pressure(PressureDecision.Kind.MOVED, "a", "node-b", "node-c", "runs there"), NOW);
        fleet.received(status("a", Waiting.ROOM, 0, ""), NOW.plusSeconds(42));
        var why = known(fleet.whyVm("default/a", AS_IT_IS, cooling, NOW.plusSeconds(42)));
        assertThat(why.sentence())
                .endsWith("; it was moved here from node-b 42 s ago; node-c is under pressure, and it would not leave:"
                        + " moved 42 s ago: cool-down for 558 s more");
        assertThat(why.reasons()).extracting(Explanation::kind).containsExactly("ROOM", "MOVED");
    }

    @Test
    void reportsWhichPlaceAVmHasAmongThoseThatWouldLeave() {
        fleet.received(status("a", Waiting.ROOM, 0, ""), NOW);
        var why = known(fleet.whyVm("a", AS_IT_IS, ranks("pod-a", true, "load1 0.10"), NOW));
        assertThat(why.sentence()).endsWith("node-c is under pressure, and it would leave as number 2: load1 0.10");
    }

    @Test
    void reportsNothingOfLeavingWhereNoVmShould() {
        fleet.received(node("node-c", 10), NOW);
        fleet.received(status("a", Waiting.NOTHING, 0, ""), NOW);
        assertThat(known(fleet.whyVm("a", AS_IT_IS, ranks("pod-a", false, "cool-down"), NOW))
                        .sentence())
                .doesNotContain("leave");
    }

    @Test
    void listsTheCandidatesWhenSeveralHaveTheName() {
        var other = new VmId("neonvm", "other", "a", "uid-other");
        fleet.received(ConsoleFeed.vm(other, "node-c", 1, VmPhase.RUNNING, ConsoleFeed.cu(4)), NOW);
        assertThat(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, NOW))
                .isEqualTo(new Why.Ambiguous(List.of("default/a", "other/a")));
        assertThat(known(fleet.whyVm("other/a", AS_IT_IS, NONE_RANKS, NOW)).subject())
                .isEqualTo("other/a");
        assertThat(fleet.whyVm("b", AS_IT_IS, NONE_RANKS, NOW)).isEqualTo(new Why.Unknown());
        assertThat(fleet.whyNode("node-x", AS_IT_IS, NOW)).isEqualTo(new Why.Unknown());
    }

    @Test
    void remembersWhyWhenTheVmIsGone() {
        fleet.received(status("a", Waiting.ROOM, 0, ""), NOW);
        fleet.received(new VmGone(id("a"), 9), NOW.plusSeconds(30));
        var why = known(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, NOW.plusSeconds(60)));
        assertThat(why.sentence()).isEqualTo("it is gone");
        assertThat(why.reasons()).extracting(Explanation::kind).containsExactly("ROOM");
        assertThat(why.reasons().getFirst().until()).contains(NOW.plusSeconds(30));
    }

    @Test
    void remembersWhatASilentRunnerLastReported() {
        fleet.received(status("a", Waiting.ROOM, 0, ""), NOW);
        fleet.tick(NOW.plusSeconds(101));
        var why = known(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, NOW.plusSeconds(111)));
        assertThat(why.sentence()).startsWith("no runner has reported on it for 10 s");
        assertThat(why.reasons()).extracting(Explanation::kind).containsExactly("ROOM");
    }

    @Test
    void explainsTheStatusOfANodeNowAndThen() {
        fleet.received(denied("a", "node-c"), NOW.plusSeconds(5));
        fleet.received(
                pressure(PressureDecision.Kind.NONE_MOVES, "", "node-c", "", "no other node has room"),
                NOW.plusSeconds(6));
        fleet.received(new Snapshot(List.of(node("node-c", 10))), NOW.plusSeconds(20));
        var why = known(fleet.whyNode("node-c", AS_IT_IS, NOW.plusSeconds(30)));
        assertThat(why.sentence()).startsWith("below its watermark");
        assertThat(why.since()).contains(NOW.plusSeconds(20));
        assertThat(why.reasons())
                .extracting(Explanation::kind)
                .containsExactly("CALM", "NONE_MOVES", "DENIED", "UNDER_PRESSURE");
        var then = known(fleet.whyNode("node-c", Optional.of(NOW.plusSeconds(10)), NOW.plusSeconds(30)));
        assertThat(then.sentence()).startsWith("under pressure").endsWith("but no VM moves: no other node has room");
        assertThat(then.reasons())
                .extracting(Explanation::kind)
                .containsExactly("NONE_MOVES", "DENIED", "UNDER_PRESSURE");
        fleet.received(new Snapshot(List.of()), NOW.plusSeconds(40));
        assertThat(known(fleet.whyNode("node-c", AS_IT_IS, NOW.plusSeconds(41))).sentence())
                .isEqualTo("it is gone");
    }

    /** The same decision is published once a minute. */
    @Test
    void aNodeThatIsUnderPressureAgainKeepsTheReasonOfTheLastMinute() {
        fleet.received(
                pressure(PressureDecision.Kind.NONE_MOVES, "", "node-c", "", "no other node has room"),
                NOW.plusSeconds(6));
        fleet.received(node("node-c", 10), NOW.plusSeconds(20));
        fleet.received(node("node-c", 40), NOW.plusSeconds(21));

        assertThat(known(fleet.whyNode("node-c", AS_IT_IS, NOW.plusSeconds(22))).sentence())
                .startsWith("under pressure for 1 s")
                .endsWith("but no VM moves: no other node has room");

        fleet.received(node("node-c", 10), NOW.plusSeconds(70));
        fleet.received(node("node-c", 40), NOW.plusSeconds(71));

        assertThat(known(fleet.whyNode("node-c", AS_IT_IS, NOW.plusSeconds(72))).sentence())
                .startsWith("under pressure for 1 s")
                .doesNotContain("no other node has room");
    }

    /** Its VM gets nothing more, and no component here ends the migration. */
    @Test
    void reportsForAVmAndItsNodeThatAForeignMigrationDoesNotEnd() {
        var ours = ConsoleFeed.migration("a", 5, MigrationPhase.PENDING, "");
        fleet.received(new MigrationObserved(
                ours.driver(),
                ours.namespace(),
                "by-hand",
                "m-by-hand",
                5,
                "a",
                MigrationPhase.PENDING,
                ours.sourcePod(),
                "",
                "",
                false,
                false,
                NOW.getEpochSecond(),
                "m-by-hand"));
        var hangs =
                "the migration by-hand, which Sluice did not create, has existed for 1 h: nothing more is granted to"
                        + " its VM until it ends or is deleted";

        var soon = NOW.plusSeconds(3_599);
        assertThat(known(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, soon)).sentence())
                .doesNotContain("which Sluice did not create");
        assertThat(known(fleet.whyNode("node-c", AS_IT_IS, soon)).sentence())
                .doesNotContain("which Sluice did not create");
        var late = NOW.plusSeconds(3_600);
        assertThat(known(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, late)).sentence())
                .endsWith("; " + hangs);
        assertThat(known(fleet.whyNode("node-c", AS_IT_IS, late)).sentence())
                .endsWith("; default/a is stuck: " + hangs);
    }

    @Test
    void reportsNothingOfAMigrationOfOursThatTakesLong() {
        fleet.received(ConsoleFeed.migration("a", 5, MigrationPhase.PENDING, ""));

        assertThat(known(fleet.whyNode("node-c", AS_IT_IS, NOW.plusSeconds(7_200)))
                        .sentence())
                .as("it is ended")
                .doesNotContain("stuck");
    }

    @Test
    void reportsAMoveAtBothNodes() {
        fleet.received(pressure(PressureDecision.Kind.MOVING, "a", "node-c", "node-b", "lowest load"), NOW);
        fleet.received(node("node-b", 3), NOW);
        for (var name : List.of("node-b", "node-c")) {
            assertThat(known(fleet.whyNode(name, AS_IT_IS, NOW)).reasons())
                    .as(name)
                    .extracting(Explanation::kind)
                    .contains("MOVING");
        }
    }

    @Test
    void takesADenialThatTheLedgerReportsOnceForTheVmAndItsNode() {
        fleet.permitted(status("a", Waiting.ROOM, 0, "cpu: why"), NOW.plusSeconds(5));
        fleet.permitted(status("a", Waiting.ROOM, 30, "cpu: why"), NOW.plusSeconds(35));

        var why = known(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, NOW.plusSeconds(40)));
        assertThat(why.sentence()).endsWith("; the ledger reports this, as its agent is not part of Sluice");
        assertThat(why.since()).contains(NOW.plusSeconds(5));
        assertThat(why.reasons()).extracting(Explanation::kind).containsExactly("ROOM", "DENIED");
        assertThat(known(fleet.whyNode("node-c", AS_IT_IS, NOW.plusSeconds(40))).reasons())
                .filteredOn(reason -> reason.kind().equals("DENIED"))
                .singleElement()
                .satisfies(denied -> assertThat(denied.cause()).isEqualTo("cpu: why"));
    }

    @Test
    void takesNoDenialOfAVmThatIsGone() {
        fleet.received(new VmGone(id("a"), 2), NOW);

        fleet.permitted(status("a", Waiting.ROOM, 0, "cpu: why"), NOW);

        assertThat(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, NOW)).isInstanceOf(Why.Unknown.class);
    }

    @Test
    void prefersTheLedgerToARunnerThatItsAgentSuperseded() {
        fleet.received(status("a", Waiting.NOTHING, 0, ""), NOW);
        fleet.permitted(status("a", Waiting.ROOM, 0, "cpu: why"), NOW.plusSeconds(1));
        fleet.received(status("a", Waiting.SUPERSEDED, 0, "another runner"), NOW.plusSeconds(2));
        assertThat(fleet.view("default/a").orElseThrow().waiting()).isEqualTo(Waiting.ROOM);

        fleet.received(status("a", Waiting.NOTHING, 0, ""), NOW.plusSeconds(3));
        assertThat(fleet.view("default/a").orElseThrow().waiting()).isEqualTo(Waiting.NOTHING);
    }

    @Test
    void remembersSinceWhenAVmIsDeniedWhereAnotherProcessKeepsItsNodeByNow() {
        fleet.permitted(status("a", Waiting.ROOM, 0, "cpu: why"), NOW);
        fleet.permitted(status("a", Waiting.ROOM, 2, "cpu: why"), NOW.plusSeconds(60));
        assertThat(fleet.view("default/a").orElseThrow().waitingSince()).isEqualTo(NOW);

        fleet.permitted(status("a", Waiting.NOTHING, 1, ""), NOW.plusSeconds(70));
        assertThat(fleet.view("default/a").orElseThrow().waitingSince()).isEqualTo(NOW.plusSeconds(69));
    }

    @Test
    void reportsThatThePermittingNodeGrantsNothingSinceItsStateWasLost() {
        fleet.permitted(status("a", Waiting.NOTHING, 0, ""), NOW);
        fleet.received(node("node-c", ConsoleFeed.cu(8), Resources.NONE, Resources.NONE, false, false), NOW);

        assertThat(known(fleet.whyVm("a", AS_IT_IS, NONE_RANKS, NOW.plusSeconds(1)))
                        .sentence())
                .endsWith("; the node's ledger is incomplete, so it grants nothing");
    }

    @Test
    void showsAVmOfAnotherAgentAtItsOwnSize() {
        fleet.permitted(status("a", Waiting.NOTHING, 0, ""), NOW);

        var shown = fleet.view("default/a").orElseThrow();
        assertThat(shown.size())
                .as("as observed, not as the ledger reported it")
                .isEqualTo(ConsoleFeed.cu(4));
        assertThat(shown.permit()).contains(ConsoleFeed.cu(10));
    }

    @Test
    void keepsThePastOfAServedVm() {
        for (int second = 0; second < 60; second += 5) {
            fleet.received(status("a", Waiting.ROOM, second, ""), NOW.plusSeconds(second));
            fleet.tick(NOW.plusSeconds(second));
        }
        assertThat(fleet.history("default/a")).hasSize(12).allSatisfy(point -> {
            assertThat(point.size()).contains(ConsoleFeed.cu(10));
            assertThat(point.goal()).contains(ConsoleFeed.cu(11));
            assertThat(point.load1()).contains(0.6);
            assertThat(point.usageBytes()).contains(1205L << 20);
        });
        assertThat(fleet.history("default/none")).isEmpty();
    }

    private static Optional<Ranking> ranks(String pod, boolean candidate, String reason) {
        var first = new Ranking.Rank("pod-z", "z", true, "load1 0.00");
        return Optional.of(new Ranking(List.of(first, new Ranking.Rank(pod, "a", candidate, reason))));
    }

    private static Why.Known known(Why why) {
        assertThat(why).isInstanceOf(Why.Known.class);
        return (Why.Known) why;
    }
}
