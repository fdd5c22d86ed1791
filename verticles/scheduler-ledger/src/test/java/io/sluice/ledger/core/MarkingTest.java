package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static io.sluice.ledger.core.Scene.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.ReservationStatus;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.ledger.MarkMigrating.Cause;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The decision to migrate a VM is checked again in the ledger. */
class MarkingTest {
    private static final Resources ROOM = cpu(4000);
    private final Scene scene = Scene.loaded();

    @Test
    void underPressureAVmThatFitsIntoItsRoomIsMarked() {
        pressed();

        assertThat(scene.mark("A", Cause.PRESSURE, cpu(2000))).isEqualTo(new MarkReply.Marked(cpu(2000)));
        assertThat(scene.reservation("A").status().migrating()).isTrue();
        assertThat(scene.state.sums().accountedPressure()).isEqualTo(cpu(2000));
    }

    /** A holds 2000 of 9000 on a node that VMs should leave above 8000. */
    private void pressed() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.fillTo(9000);
        assertThat(scene.outcome().tooMuch()).isTrue();
    }

    @Test
    void noMoreAreMarkedThanTheRuleRequires() {
        pressed();
        scene.bound(Vm.of("B", 1000, 8000));
        scene.mark("A", Cause.PRESSURE, ROOM);
        var before = scene.state;

        var reply = scene.mark("B", Cause.PRESSURE, ROOM);

        assertThat(reply).isEqualTo(new MarkReply.NotPressed(PressureNumbers.of(LedgerView.summary(before, 0))));
        var numbers = ((MarkReply.NotPressed) reply).numbers();
        assertThat(numbers.logical().milliCpu()).isEqualTo(2000);
        assertThat(numbers.accounted().milliCpu()).isEqualTo(2000);
        assertThat(scene.state).isSameAs(before);
    }

    @Test
    void aPressureThatIsOverMovesNoVm() {
        pressed();
        scene.podGone("filler");

        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isInstanceOf(MarkReply.NotPressed.class);
    }

    @Test
    void aVmThatHasOutgrownTheRoomHeldForItStays() {
        pressed();
        scene.ruled("A", 2500);
        var before = scene.state;

        assertThat(scene.mark("A", Cause.PRESSURE, cpu(2000))).isEqualTo(new MarkReply.Outgrown(cpu(2500)));
        assertThat(scene.mark("A", Cause.PRESSURE, new Resources(9000, Scene.MEMORY - 1)))
                .as("in any kind")
                .isEqualTo(new MarkReply.Outgrown(cpu(2500)));
        assertThat(scene.state).isSameAs(before);
        assertThat(scene.mark("A", Cause.PRESSURE, cpu(2500))).isEqualTo(new MarkReply.Marked(cpu(2500)));
    }

    @Test
    void aBufferNeedsNoRoomAsTheMarkGivesItBack() {
        pressed();
        scene.arrive(Vm.of("B", 500, 1000));
        scene.ruled("B", 500);
        scene.vm(Vm.of("B", 500, 2000));
        assertThat(scene.reserved("B")).isEqualTo(2000);

        assertThat(scene.mark("B", Cause.PRESSURE, cpu(500))).isEqualTo(new MarkReply.Marked(cpu(500)));
        assertThat(scene.reserved("B")).isEqualTo(500);
    }

    @Test
    void noVmIsMarkedTwice() {
        pressed();
        scene.mark("A", Cause.PRESSURE, ROOM);
        var before = scene.state.sums();

        for (var cause : Cause.values()) {
            assertThat(scene.mark("A", cause, Resources.NONE))
                    .as("%s", cause)
                    .isEqualTo(new MarkReply.Marked(cpu(2000)));
        }
        assertThat(scene.state.sums()).isEqualTo(before);
        assertThat(marks()).hasSize(1);
    }

    @Test
    void aVmThatIsNotLabelledStays() {
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(2000))));
        scene.run(new LedgerCommand.ObserveVm(
                Vm.of("A", 2000, 2000).autoscaled(false).at(scene.nextVersion(), "A", false, false)));
        scene.fillTo(9000);

        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Refused(RefusalCause.NOT_MIGRATABLE));
    }

    @Test
    void whatALostLedgerPermittedIsWaitedFor() {
        var lost = Scene.withRules(0.8);
        lost.load(
                List.of(lost.podObservation("A", "A", cpu(2000)), lost.podObservation("F", "", cpu(7000))),
                List.of(Vm.of("A", 2000, 4000).at(lost.nextVersion())));

        assertThat(lost.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Refused(RefusalCause.RECOVERED));
        assertThat(lost.mark("A", Cause.ALWAYS, ROOM)).isEqualTo(new MarkReply.Refused(RefusalCause.RECOVERED));

        lost.ruled("A", 2000);
        assertThat(lost.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Marked(cpu(2000)));
    }

    @Test
    void aVmFoundWithoutAHoldIsWaitedForUntilItRequestsOrNoPermitCanBeLeft() {
        scene.fillTo(9000);
        scene.arrive(Vm.of("A", 1000, 1500));
        assertThat(scene.outcome().tooMuch()).isTrue();

        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Refused(RefusalCause.RECOVERED));
        scene.after(Duration.ofSeconds(71));
        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Marked(cpu(1000)));
    }

    /** Lost state may have permitted it something on a node whose full list was taken before it came. */
    @Test
    void aVmFoundWithoutAHoldThatMovesAlreadyKeepsItsRoomUntilNoPermitCanBeLeft() {
        scene.arrive(Vm.of("A", 1000, 1500));

        assertThat(scene.mark("A")).isEqualTo(new MarkReply.Marked(cpu(1500)));

        scene.unmark("A");
        scene.after(Duration.ofSeconds(71));
        assertThat(scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "later"))
                .isEqualTo(new MarkReply.Marked(cpu(1000)));
    }

    @Test
    void aMigrationThatIsUnderWayIsNotWeighed() {
        var lost = Scene.withRules(0.8);
        lost.load(
                List.of(lost.podObservation("A", "A", cpu(2000))),
                List.of(Vm.of("A", 2000, 4000).at(lost.nextVersion(), "A", false, false)));

        assertThat(lost.mark("A")).as("nothing is given back").isEqualTo(new MarkReply.Marked(cpu(4000)));
        assertThat(lost.reservation("A").status().contact()).isEqualTo(Contact.RECOVERED);
        assertThat(lost.ruled("A", 1500).permit()).isEqualTo(cpu(1500));
        assertThat(lost.mark("A")).isEqualTo(new MarkReply.Marked(cpu(1500)));
    }

    @Test
    void beforeTheVmIsObservedNoReplyHasWhatIsReserved() {
        var lost = Scene.withRules(0.8);
        lost.pod("A", cpu(2000));
        lost.run(new LedgerCommand.ObservePod(lost.podObservation("A", "A", cpu(2000))));

        assertThat(lost.mark("A"))
                .as("lost state may have permitted 4")
                .isEqualTo(new MarkReply.Refused(RefusalCause.VM_UNOBSERVED));

        lost.load(
                List.of(lost.podObservation("A", "A", cpu(2000))),
                List.of(Vm.of("A", 2000, 4000).at(lost.nextVersion())));
        assertThat(lost.mark("A")).isEqualTo(new MarkReply.Marked(cpu(4000)));
    }

    @Test
    void aVmThatAMigrationHasLockedIsGrantedNothingWithoutAMark() {
        var lost = Scene.withRules(0.8);
        var vm = Vm.of("A", 1000, 4000);
        lost.load(
                List.of(lost.podObservation("A", "A", cpu(1000))),
                List.of(vm.in(VmPhase.PRE_MIGRATING).at(lost.nextVersion())));
        lost.ruled("A", 1000);

        var ruled = lost.ruled("A", 3000);

        assertThat(ruled.permit()).as("the mark was lost with the state").isEqualTo(cpu(1000));
        assertThat(ruled.migrating()).isTrue();
        lost.vm(vm.in(VmPhase.MIGRATING));
        assertThat(lost.ruled("A", 3000).permit()).isEqualTo(cpu(1000));
        lost.vm(vm);
        assertThat(lost.ruled("A", 3000).permit()).as("it was undone").isEqualTo(cpu(3000));
    }

    @Test
    void aVmThatIsLabelledToMoveAlwaysMovesOnceItHasReportedItsLoad() {
        labelledAlways();
        assertThat(scene.mark("A", Cause.ALWAYS, ROOM))
                .as("no load yet")
                .isEqualTo(new MarkReply.Refused(RefusalCause.NOT_MIGRATABLE));

        requestWithLoad();

        assertThat(scene.outcome().tooMuch()).isFalse();
        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isInstanceOf(MarkReply.NotPressed.class);
        assertThat(scene.mark("A", Cause.ALWAYS, cpu(1999))).isEqualTo(new MarkReply.Outgrown(cpu(2000)));
        assertThat(scene.mark("A", Cause.ALWAYS, cpu(2000))).isEqualTo(new MarkReply.Marked(cpu(2000)));
    }

    private void labelledAlways() {
        scene.run(new LedgerCommand.Bind(Scene.reservation("A", "A", cpu(2000), Overcommit.OFF)));
        scene.run(new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(2000))));
        scene.run(new LedgerCommand.ObserveVm(Vm.of("A", 2000, 4000).at(scene.nextVersion(), "A", false, true)));
    }

    private void requestWithLoad() {
        long session = scene.session("A", "runner");
        scene.request(new PermitRequest(
                Scene.NODE, "A", "", session, 1, Scene.UNIT, cpu(2000), Optional.empty(), Optional.of(0.5f)));
    }

    @Test
    void theLabelForTestsMakesItMigratableUnderPressureToo() {
        labelledAlways();
        scene.fillTo(9000);

        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Marked(cpu(2000)));
    }

    @Test
    void aVmThatIsNotLabelledForItDoesNotMoveAlways() {
        scene.bound(Vm.of("A", 2000, 8000));
        requestWithLoad();

        assertThat(scene.mark("A", Cause.ALWAYS, ROOM)).isEqualTo(new MarkReply.Refused(RefusalCause.NOT_MIGRATABLE));
    }

    @Test
    void whereAVmIsOnlyMovingToItIsNotMovedFrom() {
        scene.target("T", "vm", "move", cpu(2000));
        scene.fillTo(9000);

        for (var cause : List.of(Cause.PRESSURE, Cause.ALWAYS)) {
            assertThat(scene.mark("T", cause, ROOM))
                    .as("%s", cause)
                    .isEqualTo(new MarkReply.Refused(RefusalCause.NOT_MIGRATABLE));
        }
    }

    @Test
    void aMarkTakenBackLetsItGrowAgain() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.mark("A");
        scene.ruled("A", 3000);

        assertThat(scene.unmark("A")).isEqualTo(new MarkReply.Unmarked(cpu(2000)));
        assertThat(scene.unmark("A")).as("a repeat").isEqualTo(new MarkReply.Unmarked(cpu(2000)));
        assertThat(scene.ruled("A", 3000).permit()).isEqualTo(cpu(3000));
    }

    @Test
    void aMovingVmNeedsNoRoomForAHigherMaximum() {
        var vm = Vm.of("A", 2000, 4000);
        scene.bound(vm);
        scene.mark("A");

        scene.vm(vm.limited(6000));
        assertThat(scene.reserved("A")).isEqualTo(2000);
        scene.unmark("A");
        assertThat(scene.ruled("A", 5000).permit()).isEqualTo(cpu(5000));
    }

    @Test
    void anAnswerThatWasGivenBeforeTheMarkIsRepeatedWithIt() {
        scene.bound(Vm.of("A", 2000, 8000));
        long session = scene.session("A", "runner");
        var request = request("A", session, 1, cpu(2500));
        scene.request(request);
        scene.mark("A");

        assertThat(scene.request(request)).satisfies(reply -> {
            var ruled = (PermitReply.Ruled) reply;
            assertThat(ruled.migrating()).isTrue();
            assertThat(ruled.permit()).isEqualTo(cpu(2500));
        });
    }

    @Test
    void anUnmarkOfAnEarlierMigrationTakesBackNoNewerMark() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "first");
        scene.unmark("A", "first");
        scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "second");

        assertThat(scene.unmark("A", "first")).as("a late copy").isEqualTo(new MarkReply.Unmarked(cpu(2000)));

        assertThat(scene.reservation("A").status().migrating()).isTrue();
        scene.unmark("A", "second");
        assertThat(scene.reservation("A").status().migrating()).isFalse();
    }

    @Test
    void aMarkThatWasTakenBackDoesNotComeBack() {
        pressed();
        scene.mark("A", Cause.PRESSURE, ROOM, "first");
        scene.unmark("A", "first");

        for (var cause : Cause.values()) {
            assertThat(scene.mark("A", cause, ROOM, "first"))
                    .as("%s", cause)
                    .isEqualTo(new MarkReply.Refused(RefusalCause.ATTEMPT_OVER));
        }
        assertThat(scene.mark("A", Cause.PRESSURE, ROOM, "second")).isEqualTo(new MarkReply.Marked(cpu(2000)));
    }

    @Test
    void anUnmarkThatOvertakesItsMarkIsRemembered() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.unmark("A", "first");
        assertThat(scene.unmark("B", "second")).isEqualTo(new MarkReply.Refused(RefusalCause.POD_UNKNOWN));
        scene.bound(Vm.of("B", 2000, 8000));

        assertThat(scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "first"))
                .isEqualTo(new MarkReply.Refused(RefusalCause.ATTEMPT_OVER));
        assertThat(scene.mark("B", Cause.UNDER_WAY, Resources.NONE, "second"))
                .as("of a pod that came later")
                .isEqualTo(new MarkReply.Refused(RefusalCause.ATTEMPT_OVER));
    }

    @Test
    void eachMigrationThatIsUnderWayHasItsOwnMark() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "ours");
        assertThat(scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "theirs"))
                .isEqualTo(new MarkReply.Marked(cpu(2000)));
        assertThat(scene.state.sums().accountedPressure()).as("it leaves once").isEqualTo(cpu(2000));

        scene.unmark("A", "ours");

        assertThat(scene.ruled("A", 3000).permit())
                .as("the other migration goes on")
                .isEqualTo(cpu(2000));
        scene.unmark("A", "theirs");
        assertThat(scene.ruled("A", 3000).permit()).isEqualTo(cpu(3000));
    }

    @Test
    void aVmThatMovesAlreadyIsNotChosenToMove() {
        pressed();
        scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "theirs");

        for (var cause : List.of(Cause.PRESSURE, Cause.ALWAYS)) {
            assertThat(scene.mark("A", cause, ROOM, "ours"))
                    .as("%s", cause)
                    .isEqualTo(new MarkReply.Refused(RefusalCause.ALREADY_MOVING));
        }
        assertThat(scene.mark("A", Cause.BEGINNING, Resources.NONE, "ours"))
                .as("state was lost after its driver got the request")
                .isEqualTo(new MarkReply.Marked(cpu(2000)));
    }

    @Test
    void noMoreMarksStandThanAreKept() {
        scene.bound(Vm.of("A", 2000, 8000));
        for (int i = 0; i < ReservationStatus.MARKS_MAX; i++) {
            scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "attempt-" + i);
        }

        assertThat(scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "one-more"))
                .isEqualTo(new MarkReply.Refused(RefusalCause.ALREADY_MOVING));
        assertThat(scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "attempt-0"))
                .as("a repeat")
                .isEqualTo(new MarkReply.Marked(cpu(2000)));
    }

    @Test
    void aMarkShowsWhetherItsMigrationHasBegun() {
        pressed();
        scene.mark("A", Cause.PRESSURE, ROOM, "first");
        assertThat(marks()).containsExactly(new MigrationMark("first", false));

        scene.mark("A", Cause.BEGINNING, Resources.NONE, "first");
        assertThat(marks()).containsExactly(new MigrationMark("first", false));
        scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "first");
        scene.mark("A", Cause.BEGINNING, Resources.NONE, "first");

        assertThat(marks()).as("once observed, its object existed").containsExactly(new MigrationMark("first", true));
    }

    private List<MigrationMark> marks() {
        return LedgerView.full(scene.state, 0).reservations().stream()
                .filter(reservation -> reservation.pod().equals("A"))
                .flatMap(reservation -> reservation.traits().marks().stream())
                .toList();
    }
}
