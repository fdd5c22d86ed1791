package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static io.sluice.ledger.core.Scene.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.Tombstones;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.shell.Portion;
import io.sluice.shell.Portions;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FullListRulesTest {
    private final Scene scene = Scene.withRules(0.8);

    @Test
    void oneFullListMakesTheNodeComplete() {
        var reply = scene.load(
                List.of(scene.podObservation("A", "A", cpu(1000)), scene.podObservation("P", "", cpu(300))),
                List.of(Vm.of("A", 1000, 4000).at(scene.nextVersion())));

        assertThat(reply).isEqualTo(new LoadReply(2, 1));
        assertThat(scene.state.notReady()).isEmpty();
        assertThat(scene.notices).contains(new LedgerNotice.NodeCompleted(2, 1));
        assertThat(scene.nodeReserved()).isEqualTo(4300);
    }

    @Test
    void observationsThatCameBeforeTheFullListAreKept() {
        scene.arrive(Vm.of("A", 1000, 4000));
        var listed = scene.nextVersion();
        scene.arrive(Vm.of("young", 500, 2000));
        scene.pod("old", cpu(1));

        scene.take(new LoadNode(scene.node(10_000), listed, List.of(), List.of()));

        assertThat(scene.state.reservations().find("A"))
                .as("observed before the full list and not in it")
                .isEmpty();
        assertThat(scene.reserved("young")).isEqualTo(2000);
        assertThat(scene.reservation("young").status().contact()).isEqualTo(Contact.RECOVERED);
    }

    @Test
    void aVmInUseAboveItsMaximumIsReservedAtItsUse() {
        scene.load(
                List.of(scene.podObservation("A", "A", cpu(5000))),
                List.of(Vm.of("A", 5000, 4000).at(scene.nextVersion())));

        assertThat(scene.reserved("A")).isEqualTo(5000);
        assertThat(scene.buffer("A")).isZero();
    }

    @Test
    void whatItsAnnotationShowsAsApprovedIsReservedToo() {
        scene.load(
                List.of(scene.podObservation("A", "A", cpu(1000))),
                List.of(Vm.of("A", 1000, 4000).approvedAt(4500).at(scene.nextVersion())));

        assertThat(scene.reserved("A")).isEqualTo(4500);
        assertThat(scene.buffer("A")).isEqualTo(3500);
    }

    @Test
    void aMovingVmIsReservedAtItsMaximumTooWhenTheLedgerStateWasLost() {
        scene.load(
                List.of(scene.podObservation("A", "A", cpu(1000))),
                List.of(Vm.of("A", 1000, 4000).in(VmPhase.MIGRATING).at(scene.nextVersion())));

        assertThat(scene.reserved("A")).isEqualTo(4000);
    }

    @Test
    void aVmThatIsNotScaledCountsAtItsUse() {
        scene.load(
                List.of(scene.podObservation("A", "A", cpu(1000))),
                List.of(Vm.of("A", 1000, 4000).autoscaled(false).at(scene.nextVersion())));

        assertThat(scene.reserved("A")).isEqualTo(1000);
        assertThat(scene.reservation("A").status().contact()).isEqualTo(Contact.REQUESTED);
    }

    @Test
    void whileRecoveredOnlyUpIsFollowed() {
        var vm = Vm.of("A", 1000, 4000);
        recovered(vm);

        scene.vm(vm.limited(2000));
        assertThat(scene.reserved("A")).as("a lower maximum").isEqualTo(4000);
        scene.mark("A");
        assertThat(scene.reserved("A")).as("a mark").isEqualTo(4000);
        assertThat(scene.state.sums().accountedPressure().milliCpu()).isEqualTo(4000);
        scene.vm(vm.limited(6000));
        assertThat(scene.reserved("A")).as("a higher maximum").isEqualTo(6000);
        scene.vm(vm.limited(6000).using(2500));
        assertThat(scene.buffer("A")).as("observed use is no buffer").isEqualTo(3500);
    }

    @Test
    void reclaimingWaitsUntilNoLostPermitCanBeUsed() {
        recovered(Vm.of("A", 1000, 4000));
        scene.after(Duration.ofSeconds(4));

        assertThat(scene.settle("A", cpu(1200))).isEqualTo(new ReclaimReply.TooEarly(Duration.ofSeconds(7)));
        assertThat(scene.reserved("A")).isEqualTo(4000);

        scene.after(Duration.ofSeconds(7));
        assertThat(scene.settle("A", cpu(1200))).isEqualTo(new ReclaimReply.Settled(cpu(1200)));
        assertThat(scene.reserved("A")).isEqualTo(1200);
        assertThat(scene.settle("A", cpu(1300))).as("a repeat").isEqualTo(new ReclaimReply.NotRecovered());
        assertThat(scene.reserved("A")).isEqualTo(1200);
    }

    @Test
    void reclaimingNeverReservesLessThanTheVmWasObservedToUse() {
        var vm = Vm.of("A", 1000, 4000);
        recovered(vm);
        scene.vm(vm.using(2000));
        scene.after(Duration.ofSeconds(11));

        assertThat(scene.settle("A", cpu(1200))).isEqualTo(new ReclaimReply.Settled(cpu(2000)));
    }

    @Test
    void aVmThatHasRequestedIsNotReclaimed() {
        recovered(Vm.of("A", 1000, 4000));
        scene.ruled("A", 3000);
        scene.after(Duration.ofSeconds(11));

        assertThat(scene.settle("A", cpu(1000))).isEqualTo(new ReclaimReply.NotRecovered());
        assertThat(scene.settle("absent", cpu(1000))).isEqualTo(new ReclaimReply.NotRecovered());
        assertThat(scene.reserved("A")).isEqualTo(3000);
    }

    @Test
    void aFullListRemovesOnlyWhatItMustHaveHeld() {
        scene.load(List.of(), List.of());
        scene.pod("old", cpu(100));
        var listed = scene.nextVersion();
        scene.pod("young", cpu(200));
        scene.run(new LedgerCommand.Bind(Scene.reservation("ours", "", cpu(300), Overcommit.OFF)));

        scene.run(new LedgerCommand.Load(new LoadNode(scene.node(10_000), listed, List.of(), List.of())));

        assertThat(scene.state.reservations().all()).extracting(Reservation::id).containsExactly("ours", "young");
    }

    @Test
    void whatIsGoneStaysGoneUntilANewerFullList() {
        scene.load(List.of(), List.of());
        var late = scene.podObservation("P", "", cpu(100));
        scene.podGone("P");

        assertThat(scene.run(new LedgerCommand.ObservePod(late))).isEqualTo(ObservationReply.DROPPED);
        assertThat(scene.state.reservations().size()).isZero();

        scene.load(List.of(), List.of());
        assertThat(scene.state.gone().versions()).isEmpty();
    }

    @Test
    void tombstonesAreBounded() {
        var stones = Tombstones.NONE;
        for (int i = 0; i <= Tombstones.LIMIT; i++) {
            stones = stones.with("pod-" + i, i);
        }

        assertThat(stones.versions()).hasSize(Tombstones.LIMIT);
        assertThat(stones.hold("pod-0")).as("the oldest").isFalse();
        assertThat(stones.hold("pod-1")).isTrue();
    }

    @Test
    @DisplayName("F12: a stale list changes nothing")
    void aFullListOlderThanTheOneBeforeCameLateAndChangesNothing() {
        var vm = Vm.of("A", 1000, 4000);
        recovered(vm);
        scene.ruled("A", 3500);
        var before = scene.state;
        long known = before.fullList().version();

        var late = scene.run(new LedgerCommand.Load(ofOlderStore(known - 1, vm)));
        var ofAnotherPutBack =
                scene.run(new LedgerCommand.Load(ofOlderStore(known - 1, vm).relist(known - 1)));

        assertThat(late).isEqualTo(new LoadReply(1, 0).relist(known));
        assertThat(ofAnotherPutBack).isEqualTo(late);
        assertThat(scene.state).isSameAs(before);
    }

    @Test
    void aStoreThatWasPutBackBeginsANewEpochAndFreesNothing() {
        var vm = Vm.of("A", 1000, 4000);
        recovered(vm);
        scene.ruled("A", 3500);
        scene.pod("P", cpu(100));
        scene.podGone("gone");
        long session = scene.reservation("A").session().session();

        var putBack = ofOlderStore(1, vm).relist(scene.state.fullList().version());
        var reply = scene.run(new LedgerCommand.Load(putBack));

        assertThat(reply).isEqualTo(new LoadReply(3, 1));
        assertThat(scene.reserved("P"))
                .as("bound after the instant that the store was restored to")
                .isEqualTo(100);
        assertThat(scene.reserved("A")).as("its permit may be in use").isEqualTo(3500);
        assertThat(scene.reservation("A").status().contact()).isEqualTo(Contact.RECOVERED);
        assertThat(scene.reserved("gone"))
                .as("the Kubernetes cluster has it again")
                .isEqualTo(7);
        assertThat(scene.settle("A", cpu(900))).isInstanceOf(ReclaimReply.TooEarly.class);
        assertThat(scene.request(request("A", session, 2, cpu(3500))))
                .as("the agent has to learn that the node starts again")
                .isEqualTo(new PermitReply.OpenAgain(session));
        assertThat(scene.session("A", "runner-1")).isGreaterThan(session);
        assertThat(scene.run(new LedgerCommand.Load(ofOlderStore(2, vm))).reservations())
                .as("the next full list shows which pods are gone")
                .isEqualTo(2);
    }

    private static LoadNode ofOlderStore(long version, Vm vm) {
        return new LoadNode(
                new NodeObserved(Scene.NODE, version, cpu(10_000)),
                version,
                List.of(
                        new PodObserved("A", "ns", "A", Scene.NODE, "A", version, cpu(900), 0),
                        new PodObserved("gone", "ns", "gone", Scene.NODE, "", version, cpu(7), 0)),
                List.of(vm.using(900).limited(2000).at(version)));
    }

    @Test
    void aRepeatedFullListChangesNothingAndRestartsNoWait() {
        var pod = scene.podObservation("A", "A", cpu(1000));
        var vm = Vm.of("A", 1000, 4000).at(scene.nextVersion());
        var load =
                new LedgerCommand.Load(new LoadNode(scene.node(10_000), scene.nextVersion(), List.of(pod), List.of(vm))
                        .relist(scene.relist()));
        scene.run(load);
        scene.ruled("A", 2000);
        var before = scene.state;

        scene.after(Duration.ofSeconds(20)).run(load);

        assertThat(scene.state).isEqualTo(before);
    }

    @Test
    @DisplayName("F13: a node that vanished keeps its reservations and grants nothing")
    void aNodeThatIsGoneKeepsItsReservationsAndGrantsNothing() {
        recovered(Vm.of("A", 1000, 4000));
        scene.ruled("A", 1000);
        scene.run(new LedgerCommand.LoseNode(new NodeGone(Scene.NODE, scene.nextVersion())));

        assertThat(scene.ruled("A", 2000).permit()).isEqualTo(cpu(1000));
        assertThat(scene.nodeReserved()).isEqualTo(1000);

        scene.run(new LedgerCommand.ObserveNode(scene.node(10_000)));
        assertThat(scene.ruled("A", 2000).permit()).as("it came back").isEqualTo(cpu(2000));
    }

    @Test
    void aNodeThatIsGoneIsForgottenOnceItIsEmpty() {
        recovered(Vm.of("A", 1000, 4000));
        scene.run(new LedgerCommand.LoseNode(new NodeGone(Scene.NODE, scene.nextVersion())));
        scene.after(Duration.ofHours(1)).run(new LedgerCommand.Tick());
        assertThat(scene.state.isBlank()).as("a reservation is left").isFalse();

        scene.run(new LedgerCommand.LosePod(new PodGone("A", Scene.NODE, scene.nextVersion())));
        scene.run(new LedgerCommand.Tick());
        assertThat(scene.state.isBlank()).isTrue();
        assertThat(scene.open("A", "one", 0)).isInstanceOf(OpenReply.NotReady.class);
    }

    @Test
    void olderObservationsOfTheNodeAreIgnoredAndTheReserveIsTakenOff() {
        var reserving = new Scene(new LedgerRules(
                Duration.ofSeconds(10),
                0.5,
                Portions.amounts(new Resources(100, 10)),
                LastPermitTrust.RECOVERY,
                InvariantChecks.WHOLE));
        var old = reserving.node(1);
        reserving.load(List.of(), List.of());

        assertThat(reserving.run(new LedgerCommand.ObserveNode(old))).isEqualTo(ObservationReply.KNOWN);
        assertThat(reserving.state.size().total()).isEqualTo(new Resources(9900, Scene.MEMORY_TOTAL - 10));
        assertThat(reserving.state.size().watermark().milliCpu()).isEqualTo(4950);
    }

    @Test
    void aReserveThatIsAShareFollowsTheNodesSize() {
        var reserve = new Portions(Portion.Share.parse("20%"), new Portion.Amount(10));
        var reserving = new Scene(
                new LedgerRules(Duration.ofSeconds(10), 0.5, reserve, LastPermitTrust.RECOVERY, InvariantChecks.WHOLE));
        reserving.load(List.of(), List.of());
        assertThat(reserving.state.size().total()).isEqualTo(new Resources(8000, Scene.MEMORY_TOTAL - 10));

        reserving.run(new LedgerCommand.ObserveNode(reserving.node(4001)));
        assertThat(reserving.state.size().total().milliCpu()).as("4001 - 800.2").isEqualTo(3200);
    }

    @Test
    void aLastPermitAboveTheMaximumIsGrantedToTheMaximum() {
        recovered(Vm.of("A", 1000, 4000));

        assertThat(scene.ruled("A", cpu(9000), Optional.of(cpu(9000))).permit()).isEqualTo(cpu(4000));
    }

    private void recovered(Vm vm) {
        scene.load(List.of(scene.podObservation(vm.name(), vm.name(), vm.use())), List.of(vm.at(scene.nextVersion())));
    }

    @Test
    void aVmFoundWithoutAHoldAndScaledNoMoreKeepsItsRoomUntilItIsReclaimed() {
        var scene = Scene.loaded();
        var vm = Vm.of("A", 1000, 1500);
        scene.arrive(vm);

        scene.vm(vm.autoscaled(false));
        assertThat(scene.reserved("A")).isEqualTo(1500);

        scene.after(Duration.ofSeconds(71)).vm(vm.autoscaled(false));
        assertThat(scene.reserved("A")).isEqualTo(1500);
        scene.settle("A", cpu(1000));
        assertThat(scene.reserved("A")).isEqualTo(1000);
    }

    @Test
    void aVmFoundWithoutAHoldKeepsItsRoomWhenItsMaximumIsLowered() {
        var scene = Scene.loaded();
        var vm = Vm.of("A", 1000, 3000);
        scene.arrive(vm);

        scene.vm(vm.limited(1500));
        assertThat(scene.reserved("A")).as("lost state may have permitted it").isEqualTo(3000);
        scene.after(Duration.ofSeconds(11)).settle("A", cpu(1000));
        assertThat(scene.reserved("A")).isEqualTo(1000);
    }

    @Test
    void aVmSwitchedOffBeforeTheLossIsRecoveredWhileItsAgentMayHaveMissedIt() {
        var off = Vm.of("A", 1000, 4000).autoscaled(false);
        recovered(off.fencedBy("r-1+7/3"));
        assertThat(scene.reserved("A")).isEqualTo(4000);
        assertThat(scene.reservation("A").status().contact()).isEqualTo(Contact.RECOVERED);

        scene.after(Duration.ofSeconds(11)).settle("A", cpu(1000));
        assertThat(scene.reserved("A")).isEqualTo(1000);
        assertThat(scene.reservation("A").status().contact()).isEqualTo(Contact.REQUESTED);
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(500))));
        scene.vm(off.using(500));
        assertThat(scene.reserved("A")).as("no agent scales it").isEqualTo(500);
    }

    @Test
    void aVmSwitchedOffCountsAtItsUseWhereItWasNeverScaledOrWasReclaimedSince() {
        var off = Vm.of("A", 1000, 4000).autoscaled(false);
        recovered(off.fencedBy(ClaimVm.reclaimer("1")));
        assertThat(scene.reserved("A")).isEqualTo(1000);

        var other = Vm.of("B", 1000, 4000).autoscaled(false);
        recovered(other);
        assertThat(scene.reserved("B")).isEqualTo(1000);
    }

    @Test
    void aVmSwitchedOffThatAnAgentWithoutFencesScaledIsKnownByWhatWasApproved() {
        recovered(Vm.of("A", 1000, 4000).approvedAt(5000).autoscaled(false));

        assertThat(scene.reserved("A")).isEqualTo(5000);
    }
}
