package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.ReclaimReply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ObservationRulesTest {
    private final Scene scene = Scene.loaded();

    @Test
    void aPodCountsAtItsRequestsAndFollowsThemBothWays() {
        scene.pod("P", cpu(300));
        scene.pod("P", cpu(500));
        assertThat(scene.reserved("P")).isEqualTo(500);
        scene.pod("P", cpu(200));
        assertThat(scene.nodeReserved()).isEqualTo(200);
        scene.podGone("P");
        assertThat(scene.nodeReserved()).isZero();
    }

    @Test
    @DisplayName("F14: a pod placed past us counts from its first observation")
    void aPodBoundPastUsCountsAndIsToldOnceAndWhetherItFits() {
        scene.pod("P", cpu(300));
        scene.pod("P", cpu(400));
        var crowding = scene.podFact("Q", "", cpu(9_700));
        scene.run(new LedgerCommand.SeePod(crowding));
        scene.run(new LedgerCommand.SeePod(crowding));

        assertThat(scene.nodeReserved()).isEqualTo(10_100);
        assertThat(scene.notices)
                .filteredOn(notice -> notice instanceof LedgerNotice.PodPastUs)
                .containsExactly(
                        new LedgerNotice.PodPastUs(scene.member("P").who(), cpu(300), false),
                        new LedgerNotice.PodPastUs(scene.member("Q").who(), cpu(9_700), true));
    }

    @Test
    void ofPodsThatWereThereBeforeTheBooksNobodySaysThatTheyCamePastUs() {
        var lost = Scene.withRules(0.8);
        lost.load(List.of(lost.podFact("P", "", cpu(300))), List.of());

        assertThat(lost.nodeReserved()).isEqualTo(300);
        assertThat(lost.notices).noneMatch(notice -> notice instanceof LedgerNotice.PodPastUs);
    }

    @Test
    @DisplayName("F2: older and repeated observations change nothing")
    void olderAndRepeatedFactsOfASourceChangeNothing() {
        var old = scene.podFact("P", "", cpu(100));
        var latest = scene.podFact("P", "", cpu(500));
        scene.run(new LedgerCommand.SeePod(latest));

        assertThat(scene.run(new LedgerCommand.SeePod(old))).isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.run(new LedgerCommand.SeePod(latest))).isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.reserved("P")).isEqualTo(500);
    }

    @Test
    void aVmOfWhichTheObserverKnowsNoPodEitherIsDropped() {
        var vm = Vm.of("A", 1000, 4000).at(scene.nextVersion(), "", true, false);

        assertThat(scene.run(new LedgerCommand.SeeVm(vm))).isEqualTo(ObservationReply.DROPPED);
    }

    @Test
    void aVmWhosePodWasNotObservedMissesIt() {
        assertThat(scene.vm(Vm.of("A", 1000, 4000))).isEqualTo(ObservationReply.POD_MISSING);
        assertThat(scene.state.members().size()).isZero();
    }

    @Test
    void aVmThatCamePastUsIsBookedAtItsMaximumUntilItsAgentAsks() {
        scene.arrive(Vm.of("A", 1000, 4000));

        assertThat(scene.reserved("A")).isEqualTo(4000);
        assertThat(scene.buffer("A")).isEqualTo(3000);
        assertThat(scene.notices)
                .contains(new LedgerNotice.ArrivedPastUs(scene.member("A").who(), cpu(4000)));
        assertThat(scene.ruled("A", 1000).permit()).isEqualTo(cpu(1000));
        assertThat(scene.nodeReserved()).isEqualTo(1000);
    }

    @Test
    void itComesDownWhenItIsReadAfterNobodyAsked() {
        scene.arrive(Vm.of("A", 1000, 4000));

        scene.after(Duration.ofSeconds(11)).settle("A", cpu(1000));

        assertThat(scene.reserved("A")).isEqualTo(1000);
    }

    @Test
    void aVmThatCameThroughUsIsBookedAtItsUse() {
        scene.bound(Vm.of("A", 1000, 4000));

        assertThat(scene.reserved("A")).isEqualTo(1000);
        assertThat(scene.notices).noneMatch(notice -> notice instanceof LedgerNotice.ArrivedPastUs);
    }

    @Test
    void aVmOwnedByAMigrationIsBookedAtItsUse() {
        scene.arrive(Vm.of("A", 1000, 4000).in(VmPhase.MIGRATING));

        assertThat(scene.reserved("A")).isEqualTo(1000);
    }

    @Test
    void theLargerOfPodAndVmCountsAtFirst() {
        scene.run(new LedgerCommand.SeePod(scene.podFact("A", "A", cpu(2000))));
        scene.vm(Vm.of("A", 1000, 4000).autoscaled(false));

        assertThat(scene.reserved("A")).isEqualTo(2000);
    }

    @Test
    @DisplayName("F3, F4: use above the reservation is forced in and reported once")
    void useAboveTheBooksIsForcedInAndToldOnceUntilTheNextQuestion() {
        var vm = Vm.of("A", 1000, 4000);
        scene.bound(vm);
        scene.fillTo(10_000);
        scene.vm(vm.using(3000));
        scene.vm(vm.using(3500));

        assertThat(scene.reserved("A")).isEqualTo(3500);
        assertThat(scene.nodeReserved()).as("room or no room").isEqualTo(12_500);
        assertThat(forced()).isEqualTo(1);

        assertThat(scene.ruled("A", 3500).permit()).isEqualTo(cpu(3500));
        scene.vm(vm.using(3600));
        assertThat(forced()).isEqualTo(2);
    }

    @Test
    void aPodThatTurnsOutToRunAVmIsItsVmsFromThenOn() {
        var stranger = scene.podFact("A", "", cpu(0));
        var ofVm = new PodObserved("A", "ns", "A", stranger.node(), "A", stranger.version(), cpu(2000), 0);

        scene.run(new LedgerCommand.SeePod(stranger));
        assertThat(scene.run(new LedgerCommand.SeePod(ofVm))).isEqualTo(ObservationReply.TAKEN);
        assertThat(scene.reserved("A")).isEqualTo(2000);

        assertThat(scene.run(new LedgerCommand.SeePod(ofVm))).isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.run(new LedgerCommand.SeePod(stranger))).isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.reserved("A")).isEqualTo(2000);
    }

    private long forced() {
        return scene.notices.stream()
                .filter(notice -> notice instanceof LedgerNotice.ForcedIn)
                .count();
    }

    @Test
    void aDecreaseThatIsSeenFreesNothing() {
        var vm = Vm.of("A", 1000, 4000);
        scene.bound(vm);
        scene.ruled("A", 3000);

        scene.vm(vm.using(500));

        assertThat(scene.reserved("A")).isEqualTo(3000);
    }

    @Test
    void thePodOfAScaledVmMirrorsItAndForcesNothingIn() {
        var vm = Vm.of("A", 2000, 4000);
        scene.bound(vm);
        scene.ruled("A", 1000);

        scene.run(new LedgerCommand.SeePod(scene.podFact("A", "A", cpu(2000))));
        scene.run(new LedgerCommand.SeePod(scene.podFact("A", "A", cpu(2500))));
        assertThat(scene.reserved("A")).as("what the mirror says").isEqualTo(1000);

        scene.vm(vm.using(2500));
        assertThat(scene.reserved("A")).as("what the VM says").isEqualTo(2500);
    }

    @Test
    @DisplayName("F21: a lowered maximum cuts no permit")
    void aChangedMaximumMovesTheBufferInThatKindOnly() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.ruled("A", 1500);

        scene.vm(vm.limited(6000));
        assertThat(scene.reserved("A")).isEqualTo(6000);
        assertThat(scene.buffer("A")).isEqualTo(4500);
        assertThat(scene.amounts("A").buffer().memoryBytes()).isZero();

        scene.vm(vm.limited(1200));
        assertThat(scene.reserved("A")).as("never below what it was permitted").isEqualTo(1500);
        assertThat(scene.buffer("A")).isZero();
        assertThat(scene.ruled("A", 1600).permit()).isEqualTo(cpu(1500));
    }

    @Test
    void aChangedMinimumChangesNoNumber() {
        var vm = Vm.of("A", 1000, 2000);
        scene.arrive(vm);
        var before = scene.amounts("A");

        scene.vm(vm.atLeast(700));

        assertThat(scene.amounts("A")).isEqualTo(before);
        assertThat(scene.member("A").limits().min()).isEqualTo(cpu(700));
    }

    @Test
    void aVmSwitchedOffKeepsItsRoomUntilItsFenceWasClaimedHoweverLongThatTakes() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.ruled("A", 1800);

        var off = new LedgerCommand.SeeVm(vm.autoscaled(false).at(scene.nextVersion()));
        scene.run(off);
        assertThat(scene.reserved("A")).as("its permit may still be used").isEqualTo(1800);
        assertThat(scene.member("A").standing().contact()).isEqualTo(Contact.SWITCHED_OFF);
        assertThat(LedgerView.unsettled(scene.state)).isEqualTo(1);

        scene.after(Duration.ofHours(1));
        assertThat(scene.run(off)).isEqualTo(ObservationReply.KNOWN);
        scene.vm(vm.autoscaled(false).using(900));
        assertThat(scene.reserved("A"))
                .as("nobody has claimed its fence: a patch may still be applied")
                .isEqualTo(1800);

        assertThat(scene.settle("A", cpu(1000))).isEqualTo(new ReclaimReply.Settled(cpu(1000)));
        assertThat(scene.reserved("A")).isEqualTo(1000);
        assertThat(LedgerView.unsettled(scene.state)).isZero();
        assertThat(scene.settle("A", cpu(1))).isEqualTo(new ReclaimReply.NotRecovered());
    }

    @Test
    void aVmSwitchedOffIsNotSettledWhileAPermitMayStartGrowth() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.ruled("A", 1800);
        scene.after(Duration.ofSeconds(4)).vm(vm.autoscaled(false));

        assertThat(scene.settle("A", cpu(1000))).isEqualTo(new ReclaimReply.TooEarly(Duration.ofSeconds(7)));
        assertThat(scene.reserved("A")).isEqualTo(1800);
        scene.after(Duration.ofSeconds(7));
        assertThat(scene.settle("A", cpu(1000))).isEqualTo(new ReclaimReply.Settled(cpu(1000)));
    }

    @Test
    void onceItIsSettledAVmThatNobodyScalesFollowsItsUseAtOnce() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.ruled("A", 1800);
        scene.vm(vm.autoscaled(false));
        scene.after(Duration.ofSeconds(11)).settle("A", cpu(1000));

        scene.run(new LedgerCommand.SeePod(scene.podFact("A", "A", cpu(400))));
        scene.vm(vm.autoscaled(false).using(400));
        assertThat(scene.reserved("A")).isEqualTo(400);
        scene.vm(vm.autoscaled(false).using(1500));
        assertThat(scene.reserved("A")).isEqualTo(1500);
    }

    @Test
    void aLateQuestionForAVmThatNobodyScalesHasItSettledAnew() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.ruled("A", 1800);
        scene.vm(vm.autoscaled(false));
        scene.after(Duration.ofSeconds(11)).settle("A", cpu(1000));

        scene.ruled("A", 1600);
        scene.vm(vm.autoscaled(false).using(900));
        assertThat(scene.reserved("A")).as("its agent was permitted it").isEqualTo(1600);
        scene.after(Duration.ofSeconds(11)).settle("A", cpu(900));
        assertThat(scene.reserved("A")).isEqualTo(900);
    }

    @Test
    void aVmSwitchedOnAgainHasNothingToSettle() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.ruled("A", 1800);
        scene.vm(vm.autoscaled(false));

        scene.vm(vm);
        assertThat(scene.member("A").standing().contact()).isEqualTo(Contact.HEARD);
        assertThat(scene.reserved("A")).isEqualTo(1800);
        scene.after(Duration.ofSeconds(11));
        assertThat(scene.settle("A", cpu(1000))).isEqualTo(new ReclaimReply.NotRecovered());
    }

    @Test
    void aVmSwitchedOffThatALateQuestionCutIsRaisedToItsUseByTheNextRepeat() {
        var vm = Vm.of("A", 1000, 4000);
        scene.bound(vm);
        scene.ruled("A", 3000);
        var off = new LedgerCommand.SeeVm(vm.autoscaled(false).using(2000).at(scene.nextVersion()));
        scene.run(off);
        scene.ruled("A", 1000);
        assertThat(scene.reserved("A")).isEqualTo(1000);

        assertThat(scene.run(off)).isEqualTo(ObservationReply.TAKEN);
        assertThat(scene.reserved("A")).isEqualTo(2000);
        assertThat(scene.run(off)).isEqualTo(ObservationReply.KNOWN);
    }

    @Test
    void switchingItOffWhileRecoveredFreesNothingBeforeItIsSettled() {
        var lost = Scene.withRules(0.8);
        var vm = Vm.of("A", 1000, 4000);
        lost.arrive(vm);
        var listed = lost.podFact("A", "A", cpu(1000));
        lost.load(List.of(listed), List.of());
        lost.vm(vm.autoscaled(false));
        assertThat(lost.reserved("A")).isEqualTo(4000);

        lost.after(Duration.ofSeconds(71)).vm(vm.autoscaled(false));
        assertThat(lost.reserved("A"))
                .as("no fence stands before a lost permit")
                .isEqualTo(4000);

        lost.settle("A", cpu(1000));
        assertThat(lost.reserved("A")).isEqualTo(1000);
    }

    @Test
    void aVmThatNobodyScalesFollowsItsUseAlsoPastTheTotal() {
        var vm = Vm.of("A", 1000, 2000).autoscaled(false);
        scene.bound(vm);
        scene.fillTo(10_000);

        scene.vm(vm.using(1700));
        scene.run(new LedgerCommand.SeePod(scene.podFact("A", "A", cpu(1700))));
        assertThat(scene.nodeReserved()).isEqualTo(10_700);

        scene.run(new LedgerCommand.SeePod(scene.podFact("A", "A", cpu(400))));
        scene.vm(vm.using(400));
        assertThat(scene.nodeReserved()).isEqualTo(9_400);
    }

    @Test
    void aChangedFactorIsChargedAtOnce() {
        var vm = Vm.of("A", 1000, 4000);
        scene.bound(vm);

        scene.vm(vm.overcommitted(2000));
        assertThat(scene.nodeReserved()).isEqualTo(500);
        assertThat(scene.state.sums().committed().milliCpu()).isEqualTo(1000);
        scene.vm(vm.overcommitted(500));
        assertThat(scene.nodeReserved()).isEqualTo(2000);
    }

    @Test
    void goneIsFinalForItsPod() {
        scene.bound(Vm.of("A", 1000, 4000));
        scene.podGone("A");

        assertThat(scene.pod("A", cpu(1))).isEqualTo(ObservationReply.DROPPED);
        assertThat(scene.vm(Vm.of("A", 1000, 4000))).isEqualTo(ObservationReply.DROPPED);
        assertThat(scene.state.sums()).isEqualTo(NodeSums.ZERO);
    }
}
