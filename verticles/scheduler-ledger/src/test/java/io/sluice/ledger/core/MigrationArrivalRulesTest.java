package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.OpenReply;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A VM comes by a migration: held, then landed, then running here. */
class MigrationArrivalRulesTest {
    private static final Duration TTL = Duration.ofSeconds(120);
    private static final String HOLDER = HoldRoom.forMigration("ns", "move");
    private final Scene scene = Scene.loaded();

    @Test
    void theTargetTakesTheRoomOverThatWasHeldForItsMigration() {
        assertThat(hold(3000)).isEqualTo(new HoldReply.Held(TTL));

        target(3000);

        assertThat(scene.nodeReserved()).as("counted once").isEqualTo(3000);
        assertThat(scene.state.sums().held()).isEqualTo(Resources.NONE);
        assertThat(scene.state.members().find(HOLDER)).isEmpty();
        assertThat(scene.notices).noneMatch(notice -> notice instanceof LedgerNotice.LandedUnheld);
    }

    private HoldReply hold(long milliCpu) {
        return scene.holdFor("move", cpu(milliCpu), TTL);
    }

    private ObservationReply target(long milliCpu) {
        return scene.target("T", "A", "move", cpu(milliCpu));
    }

    private void run(Vm vm, String pod) {
        scene.run(new LedgerCommand.SeeVm(vm.at(scene.nextVersion(), pod, true, false)));
    }

    @Test
    void itCountsAtTheLargerOfItsRoomAndItsFact() {
        hold(3000);
        target(2500);
        assertThat(scene.reserved("T")).isEqualTo(3000);

        scene.holdFor("other", cpu(2000), TTL);
        scene.target("U", "B", "other", cpu(2200));
        assertThat(scene.reserved("U")).isEqualTo(2200);
    }

    @Test
    void theRoomIsChargedByItsFactorAlsoAfterItWasTakenOver() {
        var factor = new Overcommit(2000, 1000);
        scene.run(new LedgerCommand.Hold(new HoldRoom(Scene.NODE, HOLDER, "ns", "move", "A", cpu(3000), factor, TTL)));
        assertThat(scene.nodeReserved()).isEqualTo(1500);

        target(3000);
        assertThat(scene.nodeReserved()).isEqualTo(1500);
    }

    @Test
    void aHoldThatIsAskedForAgainOnceTakenOverDoesNotComeBack() {
        hold(3000);
        target(3000);
        var before = scene.state;

        assertThat(hold(3000)).as("a repeat").isEqualTo(new HoldReply.Bound());
        assertThat(scene.run(new LedgerCommand.Confirm(HOLDER))).isEqualTo(new HoldReply.Bound());
        assertThat(scene.run(new LedgerCommand.Release(HOLDER)))
                .as("what is bound stays")
                .isEqualTo(new HoldReply.Bound());
        assertThat(scene.state).isSameAs(before);

        run(Vm.of("A", 1000, 8000), "T");
        assertThat(hold(3000)).as("nor once its VM runs here").isEqualTo(new HoldReply.Bound());
        assertThat(scene.nodeReserved()).isEqualTo(3000);
    }

    @Test
    void aHoldThatComesAfterItsTargetIsNeverMade() {
        target(3000);

        assertThat(hold(3000)).isEqualTo(new HoldReply.Bound());
        assertThat(scene.nodeReserved()).isEqualTo(3000);
    }

    @Test
    void onceTheTargetIsGoneRoomMayBeHeldForAnotherAttempt() {
        hold(3000);
        target(3000);
        scene.podGone("T");

        assertThat(scene.nodeReserved()).isZero();
        assertThat(scene.holdFor("move", cpu(2000), TTL, "another")).isEqualTo(new HoldReply.Held(TTL));
    }

    @Test
    void aTargetWithoutRoomHeldForItIsForcedInAndTold() {
        scene.fillTo(9000);

        target(3000);
        target(3000);

        assertThat(scene.nodeReserved()).isEqualTo(12_000);
        assertThat(scene.notices.stream().filter(notice -> notice instanceof LedgerNotice.LandedUnheld))
                .containsExactly(new LedgerNotice.LandedUnheld(scene.member("T").who(), cpu(3000)));
    }

    @Test
    void noFactAboutThePodBringsItDownAgain() {
        hold(3000);
        target(3000);

        target(1000);
        assertThat(scene.reserved("T")).as("while it is under way").isEqualTo(3000);
        scene.run(new LedgerCommand.SeePod(scene.podFact("T", "A", cpu(800))));
        assertThat(scene.reserved("T")).as("once the migration is over").isEqualTo(3000);
        target(3500);
        assertThat(scene.reserved("T")).as("up it follows").isEqualTo(3500);

        run(Vm.of("A", 1000, 8000), "T");
        scene.run(new LedgerCommand.SeePod(scene.podFact("T", "A", cpu(900))));
        assertThat(scene.reserved("T")).as("once its VM runs here").isEqualTo(3500);
    }

    @Test
    void noFactAboutThePodBringsItDownEvenWhereItsVmIsNotNamed() {
        scene.target("T", "", "move", cpu(3000));

        scene.pod("T", cpu(100));

        assertThat(scene.reserved("T")).isEqualTo(3000);
    }

    @Test
    void theVmTakesOverAtWhatWasReservedAndItsFirstQuestionTellsTheTruth() {
        hold(3000);
        target(3000);

        run(Vm.of("A", 1000, 8000), "T");

        assertThat(scene.reserved("T")).as("not its maximum").isEqualTo(3000);
        assertThat(scene.buffer("T")).isZero();
        assertThat(scene.member("T").standing().contact()).isEqualTo(Contact.HEARD);
        assertThat(scene.member("T").standing().arrival().underWay()).isFalse();
        assertThat(scene.notices).noneMatch(notice -> notice instanceof LedgerNotice.ArrivedPastUs);
        assertThat(scene.ruled("T", 1200).permit()).isEqualTo(cpu(1200));
        assertThat(scene.nodeReserved()).isEqualTo(1200);
    }

    @Test
    void theVmTakesOverAtItsUseWhereThatIsMore() {
        hold(3000);
        target(3000);

        run(Vm.of("A", 3300, 8000).in(VmPhase.SCALING), "T");

        assertThat(scene.reserved("T")).isEqualTo(3300);
    }

    @Test
    void aVmThatNobodyScalesComesDownByItsOwnFacts() {
        var vm = Vm.of("A", 1000, 8000).autoscaled(false);
        hold(3000);
        target(3000);

        run(vm, "T");
        assertThat(scene.reserved("T")).as("taken over").isEqualTo(3000);
        scene.run(new LedgerCommand.SeePod(scene.podFact("T", "A", cpu(1000))));
        assertThat(scene.reserved("T")).as("the pod's word").isEqualTo(3000);
        run(vm, "T");
        assertThat(scene.reserved("T")).as("the VM's word").isEqualTo(1000);
    }

    @Test
    void itIsATargetUntilItsVmRunsInItOrItsMigrationIsOver() {
        target(3000);
        assertThat(isTarget()).isTrue();
        run(Vm.of("A", 1000, 8000), "T");
        assertThat(isTarget()).isFalse();
        target(3000);
        assertThat(isTarget()).as("a late word of its migration").isFalse();

        scene.target("U", "B", "other", cpu(100));
        scene.run(new LedgerCommand.SeePod(scene.podFact("U", "B", cpu(100))));
        assertThat(LedgerView.full(scene.state, 0).members().get(1).traits().migrationTarget())
                .isFalse();
    }

    private boolean isTarget() {
        return LedgerView.full(scene.state, 0).members().getFirst().traits().migrationTarget();
    }

    @Test
    void nobodyAsksForAVmThatIsNotHereYet() {
        target(3000);

        assertThat(scene.open("T", "runner", 0)).isInstanceOf(OpenReply.NotReady.class);
    }

    @Test
    void aListingTakesTheRoomOverAsAFactDoes() {
        hold(3000);
        var target = scene.targetFact("T", "A", "move", cpu(2500));

        scene.load(List.of(target), List.of());

        assertThat(scene.nodeReserved()).isEqualTo(3000);
        assertThat(hold(3000)).isEqualTo(new HoldReply.Bound());
    }

    @Test
    void aListingDropsNoRoomThatIsHeldForAMigration() {
        hold(3000);

        scene.load(List.of(), List.of());

        assertThat(scene.nodeReserved()).isEqualTo(3000);
        assertThat(scene.state.sums().held().milliCpu()).isEqualTo(3000);
        scene.after(TTL).run(new LedgerCommand.Tick());
        assertThat(scene.nodeReserved()).isZero();
    }

    @Test
    void aHoldForAMigrationIsBoundByItsTargetAlone() {
        hold(3000);
        scene.after(Duration.ofSeconds(20));

        assertThat(scene.run(new LedgerCommand.Confirm(HOLDER))).isEqualTo(new HoldReply.Held(TTL.minusSeconds(20)));
        scene.after(TTL).run(new LedgerCommand.Tick());
        assertThat(scene.nodeReserved()).isZero();
    }

    @Test
    void booksThatWereLostMeanwhileTrustNoTargetUntilItsAgentAsks() {
        var lost = Scene.withRules(0.8);
        lost.load(List.of(lost.targetFact("T", "A", "move", cpu(3000))), List.of());
        assertThat(lost.reserved("T")).isEqualTo(3000);
        assertThat(lost.notices).noneMatch(notice -> notice instanceof LedgerNotice.LandedUnheld);

        lost.run(new LedgerCommand.SeeVm(Vm.of("A", 1000, 8000).at(lost.nextVersion(), "T", true, false)));

        assertThat(lost.reserved("T"))
                .as("the VM may have got a permit here from the lost books")
                .isEqualTo(8000);
        assertThat(lost.buffer("T")).isEqualTo(5000);
        assertThat(lost.notices).noneMatch(notice -> notice instanceof LedgerNotice.ArrivedPastUs);
        assertThat(lost.ruled("T", 3200).permit()).isEqualTo(cpu(3200));
        assertThat(lost.reserved("T")).isEqualTo(3200);
    }

    @Test
    void aTargetThatNoRoomWasHeldForIsTrustedOnceNoLostPermitIsLeft() {
        target(3000);
        run(Vm.of("A", 1000, 8000), "T");
        assertThat(scene.reserved("T")).as("just after the load").isEqualTo(8000);

        scene.after(Duration.ofSeconds(71)).target("U", "B", "other", cpu(300));
        run(Vm.of("B", 100, 8000), "U");
        assertThat(scene.reserved("U")).as("long after it").isEqualTo(300);
    }

    @Test
    void aListingThatShowsTheVmInLostBooksIsTrustedLeast() {
        var lost = Scene.withRules(0.8);
        lost.load(
                List.of(lost.targetFact("T", "A", "move", cpu(3000))),
                List.of(Vm.of("A", 1000, 8000).at(lost.nextVersion(), "T", true, false)));

        assertThat(lost.reserved("T")).isEqualTo(8000);
        assertThat(lost.member("T").standing().contact()).isEqualTo(Contact.RECOVERED);
    }

    @Test
    void aPodKnownBeforeItsMigrationTakesTheRoomOverToo() {
        hold(3000);
        scene.run(new LedgerCommand.SeePod(scene.podFact("T", "A", cpu(1000))));
        assertThat(scene.nodeReserved()).isEqualTo(4000);

        target(1000);

        assertThat(scene.nodeReserved()).isEqualTo(3000);
        assertThat(hold(3000)).isEqualTo(new HoldReply.Bound());
    }

    @Test
    void aRepeatThatWasReadAnewRaisesATargetAndNeverLowersIt() {
        var first = scene.targetFact("T", "A", "move", cpu(3000));
        scene.run(new LedgerCommand.SeePod(first));

        assertThat(scene.run(new LedgerCommand.SeePod(repeated(first, 3500)))).isEqualTo(ObservationReply.TAKEN);
        assertThat(scene.reserved("T")).isEqualTo(3500);
        assertThat(scene.run(new LedgerCommand.SeePod(repeated(first, 2000)))).isEqualTo(ObservationReply.KNOWN);
        run(Vm.of("A", 1000, 8000), "T");
        scene.ruled("T", 1000);
        assertThat(scene.run(new LedgerCommand.SeePod(repeated(first, 3600))))
                .as("once its VM runs here")
                .isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.reserved("T")).isEqualTo(1000);
    }

    private static PodObserved repeated(PodObserved fact, long milliCpu) {
        return new PodObserved(
                fact.uid(), "ns", fact.name(), Scene.NODE, "A", fact.version(), cpu(milliCpu), 0, fact.migration());
    }

    @Test
    void aTargetFirstSeenAfterItsMigrationTakesTheRoomOfItsVmOver() {
        scene.holdFor("move", cpu(3000), TTL);
        scene.run(new LedgerCommand.SeePod(scene.podFact("other", "else", cpu(100))));
        assertThat(scene.state.sums().held().milliCpu()).as("another VM's pod").isEqualTo(3000);

        scene.run(new LedgerCommand.SeePod(scene.podFact("T", "vm", cpu(1000))));

        assertThat(scene.reserved("T")).isEqualTo(3000);
        assertThat(scene.state.sums().held()).isEqualTo(Resources.NONE);
        assertThat(hold(3000)).isEqualTo(new HoldReply.Bound());
        run(Vm.of("vm", 1000, 8000), "T");
        assertThat(scene.reserved("T")).as("it came through us").isEqualTo(3000);
    }

    @Test
    void olderAndRepeatedFactsOfATargetChangeNothing() {
        hold(3000);
        var first = scene.targetFact("T", "A", "move", cpu(3000));
        var later = scene.podFact("T", "A", cpu(100));
        scene.run(new LedgerCommand.SeePod(later));
        var before = scene.state;

        assertThat(scene.run(new LedgerCommand.SeePod(first))).isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.state).isSameAs(before);
        scene.podGone("T");
        assertThat(scene.run(new LedgerCommand.SeePod(first))).isEqualTo(ObservationReply.DROPPED);
    }

    @Test
    void aHoldThatWasTakenOverDoesNotComeBackOnceItsTargetHasGone() {
        hold(3000);
        target(3000);
        scene.podGone("T");

        assertThat(hold(3000)).as("heard again, late").isEqualTo(new HoldReply.AttemptOver());
        assertThat(scene.nodeReserved()).isZero();
    }

    @Test
    void aReleaseThatFindsItsTargetBoundIsRememberedOnceThatHasGone() {
        target(3000);
        assertThat(scene.run(new LedgerCommand.Release(HOLDER, Scene.MOVE))).isEqualTo(new HoldReply.Bound());
        scene.podGone("T");

        assertThat(hold(3000)).as("heard again, late").isEqualTo(new HoldReply.AttemptOver());
    }

    @Test
    void theTargetOfAnEarlierAttemptIsNotTakenForThatOfALaterOne() {
        scene.holdFor("move", cpu(3000), TTL, "first");
        target(3000);

        assertThat(scene.holdFor("move", cpu(2000), TTL, "second"))
                .as("the first one's pod has not gone yet")
                .isEqualTo(new HoldReply.Held(TTL));
        target(3100);
        assertThat(scene.nodeReserved()).isEqualTo(5100);
        scene.target("U", "A", "move", cpu(1000));
        assertThat(scene.reserved("U")).isEqualTo(2000);
        assertThat(scene.state.members().find(HOLDER)).isEmpty();
    }
}
