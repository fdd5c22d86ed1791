package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A VM arrives by a migration: held, then observed, then running here. */
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
        assertThat(scene.state.reservations().find(HOLDER)).isEmpty();
        assertThat(scene.notices).noneMatch(notice -> notice instanceof LedgerNotice.LandedUnheld);
    }

    private HoldReply hold(long milliCpu) {
        return scene.holdFor("move", cpu(milliCpu), TTL);
    }

    private ObservationReply target(long milliCpu) {
        return scene.target("T", "A", "move", cpu(milliCpu));
    }

    private void run(Vm vm, String pod) {
        scene.run(new LedgerCommand.ObserveVm(vm.at(scene.nextVersion(), pod, true, false)));
    }

    @Test
    void itCountsAtTheLargerOfItsRoomAndItsObservation() {
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
    void aHoldThatIsRequestedAgainOnceTakenOverDoesNotComeBack() {
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
    void aTargetWithoutRoomHeldForItIsForcedInAndReported() {
        scene.fillTo(9000);

        target(3000);
        target(3000);

        assertThat(scene.nodeReserved()).isEqualTo(12_000);
        assertThat(scene.notices.stream().filter(notice -> notice instanceof LedgerNotice.LandedUnheld))
                .containsExactly(
                        new LedgerNotice.LandedUnheld(scene.reservation("T").pod(), cpu(3000)));
    }

    @Test
    void noObservationOfThePodBringsItDownAgain() {
        hold(3000);
        target(3000);

        target(1000);
        assertThat(scene.reserved("T")).as("while it is under way").isEqualTo(3000);
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("T", "A", cpu(800))));
        assertThat(scene.reserved("T")).as("once the migration is over").isEqualTo(3000);
        target(3500);
        assertThat(scene.reserved("T")).as("it is raised").isEqualTo(3500);

        run(Vm.of("A", 1000, 8000), "T");
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("T", "A", cpu(900))));
        assertThat(scene.reserved("T")).as("once its VM runs here").isEqualTo(3500);
    }

    @Test
    void noObservationOfThePodBringsItDownEvenWhereItsVmIsNotNamed() {
        scene.target("T", "", "move", cpu(3000));

        scene.pod("T", cpu(100));

        assertThat(scene.reserved("T")).isEqualTo(3000);
    }

    @Test
    void theVmTakesOverAtWhatWasReservedAndItsFirstRequestReportsTheTruth() {
        hold(3000);
        target(3000);

        run(Vm.of("A", 1000, 8000), "T");

        assertThat(scene.reserved("T")).as("not its maximum").isEqualTo(3000);
        assertThat(scene.buffer("T")).isZero();
        assertThat(scene.reservation("T").status().contact()).isEqualTo(Contact.REQUESTED);
        assertThat(scene.reservation("T").status().arrival().underWay()).isFalse();
        assertThat(scene.notices).noneMatch(notice -> notice instanceof LedgerNotice.VmFound);
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
    void aVmThatIsNotScaledComesDownByItsOwnObservations() {
        var vm = Vm.of("A", 1000, 8000).autoscaled(false);
        hold(3000);
        target(3000);

        run(vm, "T");
        assertThat(scene.reserved("T")).as("taken over").isEqualTo(3000);
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("T", "A", cpu(1000))));
        assertThat(scene.reserved("T")).as("an observation of the pod").isEqualTo(3000);
        run(vm, "T");
        assertThat(scene.reserved("T")).as("an observation of the VM").isEqualTo(1000);
    }

    @Test
    void itIsATargetUntilItsVmRunsInItOrItsMigrationIsOver() {
        target(3000);
        assertThat(isTarget()).isTrue();
        run(Vm.of("A", 1000, 8000), "T");
        assertThat(isTarget()).isFalse();
        target(3000);
        assertThat(isTarget()).as("a late observation of its migration").isFalse();

        scene.target("U", "B", "other", cpu(100));
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("U", "B", cpu(100))));
        assertThat(LedgerView.full(scene.state, 0)
                        .reservations()
                        .get(1)
                        .traits()
                        .migrationTarget())
                .isFalse();
    }

    private boolean isTarget() {
        return LedgerView.full(scene.state, 0)
                .reservations()
                .getFirst()
                .traits()
                .migrationTarget();
    }

    @Test
    void noAgentRequestsForAVmThatIsNotHereYet() {
        target(3000);

        assertThat(scene.open("T", "runner", 0)).isInstanceOf(OpenReply.NotReady.class);
    }

    @Test
    void aFullListTakesTheRoomOverAsAnObservationDoes() {
        hold(3000);
        var target = scene.targetObservation("T", "A", "move", cpu(2500));

        scene.load(List.of(target), List.of());

        assertThat(scene.nodeReserved()).isEqualTo(3000);
        assertThat(hold(3000)).isEqualTo(new HoldReply.Bound());
    }

    @Test
    void aFullListDropsNoRoomThatIsHeldForAMigration() {
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
    void aLedgerThatWasLostMeanwhileTrustsNoTargetUntilItsAgentRequests() {
        var lost = Scene.withRules(0.8);
        lost.load(List.of(lost.targetObservation("T", "A", "move", cpu(3000))), List.of());
        assertThat(lost.reserved("T")).isEqualTo(3000);
        assertThat(lost.notices).noneMatch(notice -> notice instanceof LedgerNotice.LandedUnheld);

        lost.run(new LedgerCommand.ObserveVm(Vm.of("A", 1000, 8000).at(lost.nextVersion(), "T", true, false)));

        assertThat(lost.reserved("T"))
                .as("lost state may have granted the VM a permit here")
                .isEqualTo(8000);
        assertThat(lost.buffer("T")).isEqualTo(5000);
        assertThat(lost.notices).noneMatch(notice -> notice instanceof LedgerNotice.VmFound);
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
    void aFullListThatShowsTheVmInALostLedgerIsTrustedLeast() {
        var lost = Scene.withRules(0.8);
        lost.load(
                List.of(lost.targetObservation("T", "A", "move", cpu(3000))),
                List.of(Vm.of("A", 1000, 8000).at(lost.nextVersion(), "T", true, false)));

        assertThat(lost.reserved("T")).isEqualTo(8000);
        assertThat(lost.reservation("T").status().contact()).isEqualTo(Contact.RECOVERED);
    }

    @Test
    void aPodKnownBeforeItsMigrationTakesTheRoomOverToo() {
        hold(3000);
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("T", "A", cpu(1000))));
        assertThat(scene.nodeReserved()).isEqualTo(4000);

        target(1000);

        assertThat(scene.nodeReserved()).isEqualTo(3000);
        assertThat(hold(3000)).isEqualTo(new HoldReply.Bound());
    }

    @Test
    void aRepeatThatWasReadAnewRaisesATargetAndNeverLowersIt() {
        var first = scene.targetObservation("T", "A", "move", cpu(3000));
        scene.run(new LedgerCommand.ObservePod(first));

        assertThat(scene.run(new LedgerCommand.ObservePod(repeated(first, 3500))))
                .isEqualTo(ObservationReply.TAKEN);
        assertThat(scene.reserved("T")).isEqualTo(3500);
        assertThat(scene.run(new LedgerCommand.ObservePod(repeated(first, 2000))))
                .isEqualTo(ObservationReply.KNOWN);
        run(Vm.of("A", 1000, 8000), "T");
        scene.ruled("T", 1000);
        assertThat(scene.run(new LedgerCommand.ObservePod(repeated(first, 3600))))
                .as("once its VM runs here")
                .isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.reserved("T")).isEqualTo(1000);
    }

    private static PodObserved repeated(PodObserved observation, long milliCpu) {
        return new PodObserved(
                observation.uid(),
                "ns",
                observation.name(),
                Scene.NODE,
                "A",
                observation.version(),
                cpu(milliCpu),
                0,
                observation.migration());
    }

    @Test
    void aTargetFirstObservedAfterItsMigrationTakesTheRoomOfItsVmOver() {
        scene.holdFor("move", cpu(3000), TTL);
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("other", "else", cpu(100))));
        assertThat(scene.state.sums().held().milliCpu()).as("another VM's pod").isEqualTo(3000);

        scene.run(new LedgerCommand.ObservePod(scene.podObservation("T", "vm", cpu(1000))));

        assertThat(scene.reserved("T")).isEqualTo(3000);
        assertThat(scene.state.sums().held()).isEqualTo(Resources.NONE);
        assertThat(hold(3000)).isEqualTo(new HoldReply.Bound());
        run(Vm.of("vm", 1000, 8000), "T");
        assertThat(scene.reserved("T")).as("it was held here").isEqualTo(3000);
    }

    @Test
    void olderAndRepeatedObservationsOfATargetChangeNothing() {
        hold(3000);
        var first = scene.targetObservation("T", "A", "move", cpu(3000));
        var later = scene.podObservation("T", "A", cpu(100));
        scene.run(new LedgerCommand.ObservePod(later));
        var before = scene.state;

        assertThat(scene.run(new LedgerCommand.ObservePod(first))).isEqualTo(ObservationReply.KNOWN);
        assertThat(scene.state).isSameAs(before);
        scene.podGone("T");
        assertThat(scene.run(new LedgerCommand.ObservePod(first))).isEqualTo(ObservationReply.DROPPED);
    }

    @Test
    void aHoldThatWasTakenOverDoesNotComeBackOnceItsTargetHasGone() {
        hold(3000);
        target(3000);
        scene.podGone("T");

        assertThat(hold(3000)).as("a late copy").isEqualTo(new HoldReply.AttemptOver());
        assertThat(scene.nodeReserved()).isZero();
    }

    @Test
    void aReleaseThatFindsItsTargetBoundIsRememberedOnceThatHasGone() {
        target(3000);
        assertThat(scene.run(new LedgerCommand.Release(HOLDER, Scene.MOVE))).isEqualTo(new HoldReply.Bound());
        scene.podGone("T");

        assertThat(hold(3000)).as("a late copy").isEqualTo(new HoldReply.AttemptOver());
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
        assertThat(scene.state.reservations().find(HOLDER)).isEmpty();
    }
}
