package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeSums;
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
    @DisplayName("F14: a pod placed without a hold counts from its first observation")
    void aPodFoundWithoutAHoldCountsAndIsReportedOnceAndWhetherItFits() {
        scene.pod("P", cpu(300));
        scene.pod("P", cpu(400));
        var crowding = scene.podObservation("Q", "", cpu(9_700));
        scene.run(new LedgerCommand.ObservePod(crowding));
        scene.run(new LedgerCommand.ObservePod(crowding));

        assertThat(scene.nodeReserved()).isEqualTo(10_100);
        assertThat(scene.notices)
                .filteredOn(notice -> notice instanceof LedgerNotice.PodFound)
                .containsExactly(
                        new LedgerNotice.PodFound(scene.reservation("P").pod(), cpu(300), false),
                        new LedgerNotice.PodFound(scene.reservation("Q").pod(), cpu(9_700), true));
    }

    @Test
    void podsFromBeforeTheLedgerAreNotReportedAsFoundWithoutAHold() {
        var lost = Scene.withRules(0.8);
        lost.load(List.of(lost.podObservation("P", "", cpu(300))), List.of());

        assertThat(lost.nodeReserved()).isEqualTo(300);
        assertThat(lost.notices).noneMatch(notice -> notice instanceof LedgerNotice.PodFound);
    }

    @Test
    @DisplayName("F2: older and repeated observations change nothing")
    void olderAndRepeatedObservationsOfASourceChangeNothing() {
        var old = scene.podObservation("P", "", cpu(100));
        var latest = scene.podObservation("P", "", cpu(500));
        scene.run(new LedgerCommand.ObservePod(latest));

        assertThat(scene.run(new LedgerCommand.ObservePod(old))).isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.run(new LedgerCommand.ObservePod(latest))).isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.reserved("P")).isEqualTo(500);
    }

    @Test
    void aVmWithoutAPodAtTheObserverEitherIsDropped() {
        var vm = Vm.of("A", 1000, 4000).at(scene.nextVersion(), "", true, false);

        assertThat(scene.run(new LedgerCommand.ObserveVm(vm))).isEqualTo(ObservationReply.DROPPED);
    }

    @Test
    void aVmWithAnUnobservedPodMissesIt() {
        assertThat(scene.vm(Vm.of("A", 1000, 4000))).isEqualTo(ObservationReply.POD_MISSING);
        assertThat(scene.state.reservations().size()).isZero();
    }

    @Test
    void aVmFoundWithoutAHoldIsReservedAtItsMaximumUntilItsAgentRequests() {
        scene.arrive(Vm.of("A", 1000, 4000));

        assertThat(scene.reserved("A")).isEqualTo(4000);
        assertThat(scene.buffer("A")).isEqualTo(3000);
        assertThat(scene.notices)
                .contains(new LedgerNotice.VmFound(scene.reservation("A").pod(), cpu(4000)));
        assertThat(scene.ruled("A", 1000).permit()).isEqualTo(cpu(1000));
        assertThat(scene.nodeReserved()).isEqualTo(1000);
    }

    @Test
    void aVmWithoutAutoscalingThatIsFoundWithoutAHoldIsReportedAsAnyPod() {
        scene.arrive(Vm.of("A", 1000, 4000).autoscaled(false));
        scene.vm(Vm.of("A", 1000, 4000).autoscaled(false));

        assertThat(scene.reserved("A")).isEqualTo(1000);
        assertThat(scene.notices)
                .filteredOn(notice -> !(notice instanceof LedgerNotice.NodeCompleted))
                .containsExactly(
                        new LedgerNotice.PodFound(scene.reservation("A").pod(), cpu(1000), false));
    }

    @Test
    void itComesDownWhenItIsReadAfterNoRequestCame() {
        scene.arrive(Vm.of("A", 1000, 4000));

        scene.after(Duration.ofSeconds(11)).settle("A", cpu(1000));

        assertThat(scene.reserved("A")).isEqualTo(1000);
    }

    @Test
    void aVmPlacedThroughTheLedgerIsReservedAtItsUse() {
        scene.bound(Vm.of("A", 1000, 4000));

        assertThat(scene.reserved("A")).isEqualTo(1000);
        assertThat(scene.notices).noneMatch(notice -> notice instanceof LedgerNotice.VmFound);
    }

    @Test
    void aVmOwnedByAMigrationIsReservedAtItsUse() {
        scene.arrive(Vm.of("A", 1000, 4000).in(VmPhase.MIGRATING));

        assertThat(scene.reserved("A")).isEqualTo(1000);
    }

    @Test
    void theLargerOfPodAndVmCountsAtFirst() {
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(2000))));
        scene.vm(Vm.of("A", 1000, 4000).autoscaled(false));

        assertThat(scene.reserved("A")).isEqualTo(2000);
    }

    @Test
    @DisplayName("F3, F4: use above the reservation is forced in and reported once")
    void useAboveTheReservationIsForcedInAndReportedOnceUntilTheNextRequest() {
        var vm = Vm.of("A", 1000, 4000);
        scene.bound(vm);
        scene.fillTo(10_000);
        scene.vm(vm.using(3000));
        scene.vm(vm.using(3500));

        assertThat(scene.reserved("A")).isEqualTo(3500);
        assertThat(scene.nodeReserved()).as("with or without room").isEqualTo(12_500);
        assertThat(forced()).isEqualTo(1);

        assertThat(scene.ruled("A", 3500).permit()).isEqualTo(cpu(3500));
        scene.vm(vm.using(3600));
        assertThat(forced()).isEqualTo(2);
    }

    @Test
    void aPodThatTurnsOutToRunAVmIsItsVmsFromThenOn() {
        var stranger = scene.podObservation("A", "", cpu(0));
        var ofVm = new PodObserved("A", "ns", "A", stranger.node(), "A", stranger.version(), cpu(2000), 0);

        scene.run(new LedgerCommand.ObservePod(stranger));
        assertThat(scene.run(new LedgerCommand.ObservePod(ofVm))).isEqualTo(ObservationReply.TAKEN);
        assertThat(scene.reserved("A")).isEqualTo(2000);

        assertThat(scene.run(new LedgerCommand.ObservePod(ofVm))).isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.run(new LedgerCommand.ObservePod(stranger))).isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.reserved("A")).isEqualTo(2000);
    }

    private long forced() {
        return scene.notices.stream()
                .filter(notice -> notice instanceof LedgerNotice.ForcedIn)
                .count();
    }

    @Test
    void aDecreaseThatIsObservedFreesNothing() {
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

        scene.run(new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(2000))));
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(2500))));
        assertThat(scene.reserved("A")).as("what the pod mirrors").isEqualTo(1000);

        scene.vm(vm.using(2500));
        assertThat(scene.reserved("A")).as("what the VM shows").isEqualTo(2500);
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
        assertThat(scene.reservation("A").limits().min()).isEqualTo(cpu(700));
    }

    @Test
    void aVmSwitchedOffKeepsItsRoomUntilItsFenceWasClaimedHoweverLongThatTakes() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.ruled("A", 1800);

        var off = new LedgerCommand.ObserveVm(vm.autoscaled(false).at(scene.nextVersion()));
        scene.run(off);
        assertThat(scene.reserved("A")).as("its permit may still be used").isEqualTo(1800);
        assertThat(scene.reservation("A").status().contact()).isEqualTo(Contact.SWITCHED_OFF);
        assertThat(LedgerView.unsettled(scene.state)).isEqualTo(1);

        scene.after(Duration.ofHours(1));
        assertThat(scene.run(off)).isEqualTo(ObservationReply.KNOWN);
        scene.vm(vm.autoscaled(false).using(900));
        assertThat(scene.reserved("A"))
                .as("its fence is not claimed: a patch may still be applied")
                .isEqualTo(1800);

        assertThat(scene.settle("A", cpu(1000))).isEqualTo(new ReclaimReply.Settled(cpu(1000)));
        assertThat(scene.reserved("A")).isEqualTo(1000);
        assertThat(LedgerView.unsettled(scene.state)).isZero();
        assertThat(scene.settle("A", cpu(1))).isEqualTo(new ReclaimReply.NotRecovered());
    }

    /**
     * A cut delays the reclaim; meanwhile autoscaling is on again, and a patch to the new permit is still under way.
     */
    @Test
    void aReclaimThatWasReadBeforeALaterSessionLowersNothing() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.ruled("A", 1000);
        long read = scene.reservation("A").session().session();
        scene.vm(vm.autoscaled(false));
        scene.vm(vm);
        long later = scene.session("A", "runner-2");
        scene.request(Scene.request("A", later, 1, cpu(1800)));
        scene.vm(vm.autoscaled(false));
        scene.after(Duration.ofMinutes(1));

        assertThat(scene.settle("A", cpu(1000), read)).isEqualTo(new ReclaimReply.TooEarly(Duration.ofSeconds(1)));
        assertThat(scene.reserved("A")).isEqualTo(1800);
        assertThat(scene.settle("A", cpu(1800), later)).isEqualTo(new ReclaimReply.Settled(cpu(1800)));
    }

    @Test
    void aVmSwitchedOffIsNotReclaimedWhileAPermitMayStartGrowth() {
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
    void onceItIsReclaimedAVmThatIsNotScaledFollowsItsUseAtOnce() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.ruled("A", 1800);
        scene.vm(vm.autoscaled(false));
        scene.after(Duration.ofSeconds(11)).settle("A", cpu(1000));

        scene.run(new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(400))));
        scene.vm(vm.autoscaled(false).using(400));
        assertThat(scene.reserved("A")).isEqualTo(400);
        scene.vm(vm.autoscaled(false).using(1500));
        assertThat(scene.reserved("A")).isEqualTo(1500);
    }

    @Test
    void aLateRequestForAVmThatIsNotScaledHasItReclaimedAnew() {
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
    void aVmSwitchedOnAgainHasNothingToReclaim() {
        var vm = Vm.of("A", 1000, 2000);
        scene.bound(vm);
        scene.ruled("A", 1800);
        scene.vm(vm.autoscaled(false));

        scene.vm(vm);
        assertThat(scene.reservation("A").status().contact()).isEqualTo(Contact.REQUESTED);
        assertThat(scene.reserved("A")).isEqualTo(1800);
        scene.after(Duration.ofSeconds(11));
        assertThat(scene.settle("A", cpu(1000))).isEqualTo(new ReclaimReply.NotRecovered());
    }

    @Test
    void aVmSwitchedOffThatALateRequestCutIsRaisedToItsUseByTheNextRepeat() {
        var vm = Vm.of("A", 1000, 4000);
        scene.bound(vm);
        scene.ruled("A", 3000);
        var off = new LedgerCommand.ObserveVm(vm.autoscaled(false).using(2000).at(scene.nextVersion()));
        scene.run(off);
        scene.ruled("A", 1000);
        assertThat(scene.reserved("A")).isEqualTo(1000);

        assertThat(scene.run(off)).isEqualTo(ObservationReply.TAKEN);
        assertThat(scene.reserved("A")).isEqualTo(2000);
        assertThat(scene.run(off)).isEqualTo(ObservationReply.KNOWN);
    }

    @Test
    void switchingItOffWhileRecoveredFreesNothingBeforeItIsReclaimed() {
        var lost = Scene.withRules(0.8);
        var vm = Vm.of("A", 1000, 4000);
        lost.arrive(vm);
        var listed = lost.podObservation("A", "A", cpu(1000));
        lost.load(List.of(listed), List.of());
        lost.vm(vm.autoscaled(false));
        assertThat(lost.reserved("A")).isEqualTo(4000);

        lost.after(Duration.ofSeconds(71)).vm(vm.autoscaled(false));
        assertThat(lost.reserved("A"))
                .as("no fence prevents the use of a lost permit")
                .isEqualTo(4000);

        lost.settle("A", cpu(1000));
        assertThat(lost.reserved("A")).isEqualTo(1000);
    }

    @Test
    void aVmThatIsNotScaledFollowsItsUseAlsoPastTheTotal() {
        var vm = Vm.of("A", 1000, 2000).autoscaled(false);
        scene.bound(vm);
        scene.fillTo(10_000);

        scene.vm(vm.using(1700));
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(1700))));
        assertThat(scene.nodeReserved()).isEqualTo(10_700);

        scene.run(new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(400))));
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
