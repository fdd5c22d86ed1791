package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static io.sluice.ledger.core.Scene.question;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.MarkMigrating.Cause;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.RefusalCause;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The decision to move somebody is weighed again where the numbers are. */
class MarkingTest {
    private static final Resources ROOM = cpu(4000);
    private final Scene scene = Scene.loaded();

    @Test
    void underPressureWhoFitsIntoItsRoomIsMarked() {
        pressed();

        assertThat(scene.mark("A", Cause.PRESSURE, cpu(2000))).isEqualTo(new MarkReply.Marked(cpu(2000)));
        assertThat(scene.member("A").standing().migrating()).isTrue();
        assertThat(scene.state.sums().accountedPressure()).isEqualTo(cpu(2000));
    }

    /** A holds 2000 of 9000 on a node that VMs should leave above 8000. */
    private void pressed() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.fillTo(9000);
        assertThat(scene.verdict().tooMuch()).isTrue();
    }

    @Test
    void noMoreAreMarkedThanTheRuleAsksFor() {
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
    void aPressureThatIsOverMovesNobody() {
        pressed();
        scene.podGone("filler");

        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isInstanceOf(MarkReply.NotPressed.class);
    }

    @Test
    void whoHasOutgrownTheRoomHeldForItStays() {
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
    void nobodyIsMarkedTwice() {
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
    void whoIsNotLabelledStays() {
        scene.run(new LedgerCommand.SeePod(scene.podFact("A", "A", cpu(2000))));
        scene.run(new LedgerCommand.SeeVm(
                Vm.of("A", 2000, 2000).autoscaled(false).at(scene.nextVersion(), "A", false, false)));
        scene.fillTo(9000);

        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Refused(RefusalCause.NOT_MIGRATABLE));
    }

    @Test
    void whatLostBooksPermittedIsWaitedFor() {
        var lost = Scene.withRules(0.8);
        lost.load(
                List.of(lost.podFact("A", "A", cpu(2000)), lost.podFact("F", "", cpu(7000))),
                List.of(Vm.of("A", 2000, 4000).at(lost.nextVersion())));

        assertThat(lost.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Refused(RefusalCause.RECOVERED));
        assertThat(lost.mark("A", Cause.ALWAYS, ROOM)).isEqualTo(new MarkReply.Refused(RefusalCause.RECOVERED));

        lost.ruled("A", 2000);
        assertThat(lost.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Marked(cpu(2000)));
    }

    @Test
    void whoCamePastUsIsWaitedForUntilItAsksOrNoPermitCanBeLeft() {
        scene.fillTo(9000);
        scene.arrive(Vm.of("A", 1000, 1500));
        assertThat(scene.verdict().tooMuch()).isTrue();

        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Refused(RefusalCause.RECOVERED));
        scene.after(Duration.ofSeconds(71));
        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Marked(cpu(1000)));
    }

    /** Lost books may have permitted it something on a node that was listed before it came. */
    @Test
    void whoCamePastUsAndMovesAlreadyKeepsItsRoomUntilNoPermitCanBeLeft() {
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
                List.of(lost.podFact("A", "A", cpu(2000))),
                List.of(Vm.of("A", 2000, 4000).at(lost.nextVersion(), "A", false, false)));

        assertThat(lost.mark("A")).as("nothing goes back").isEqualTo(new MarkReply.Marked(cpu(4000)));
        assertThat(lost.member("A").standing().contact()).isEqualTo(Contact.RECOVERED);
        assertThat(lost.ruled("A", 1500).permit()).isEqualTo(cpu(1500));
        assertThat(lost.mark("A")).isEqualTo(new MarkReply.Marked(cpu(1500)));
    }

    @Test
    void whoIsLabelledToMoveAlwaysMovesOnceItHasReportedItsLoad() {
        labelledAlways();
        assertThat(scene.mark("A", Cause.ALWAYS, ROOM))
                .as("no load yet")
                .isEqualTo(new MarkReply.Refused(RefusalCause.NOT_MIGRATABLE));

        askWithLoad();

        assertThat(scene.verdict().tooMuch()).isFalse();
        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isInstanceOf(MarkReply.NotPressed.class);
        assertThat(scene.mark("A", Cause.ALWAYS, cpu(1999))).isEqualTo(new MarkReply.Outgrown(cpu(2000)));
        assertThat(scene.mark("A", Cause.ALWAYS, cpu(2000))).isEqualTo(new MarkReply.Marked(cpu(2000)));
    }

    private void labelledAlways() {
        scene.run(new LedgerCommand.Bind(Scene.booking("A", "A", cpu(2000), Overcommit.OFF)));
        scene.run(new LedgerCommand.SeePod(scene.podFact("A", "A", cpu(2000))));
        scene.run(new LedgerCommand.SeeVm(Vm.of("A", 2000, 4000).at(scene.nextVersion(), "A", false, true)));
    }

    private void askWithLoad() {
        long session = scene.session("A", "runner");
        scene.ask(new PermitRequest(
                Scene.NODE, "A", "", session, 1, Scene.UNIT, cpu(2000), Optional.empty(), Optional.of(0.5f)));
    }

    @Test
    void theLabelForTestsMakesItMigratableUnderPressureToo() {
        labelledAlways();
        scene.fillTo(9000);

        assertThat(scene.mark("A", Cause.PRESSURE, ROOM)).isEqualTo(new MarkReply.Marked(cpu(2000)));
    }

    @Test
    void whoIsNotLabelledForItDoesNotMoveAlways() {
        scene.bound(Vm.of("A", 2000, 8000));
        askWithLoad();

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
    void whoMovesNeedsNoRoomForAHigherMaximum() {
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
        var asked = question("A", session, 1, cpu(2500));
        scene.ask(asked);
        scene.mark("A");

        assertThat(scene.ask(asked)).satisfies(reply -> {
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

        assertThat(scene.unmark("A", "first")).as("heard again, late").isEqualTo(new MarkReply.Unmarked(cpu(2000)));

        assertThat(scene.member("A").standing().migrating()).isTrue();
        scene.unmark("A", "second");
        assertThat(scene.member("A").standing().migrating()).isFalse();
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
        assertThat(scene.unmark("B", "second")).isEqualTo(new MarkReply.Refused(RefusalCause.MEMBER_UNKNOWN));
        scene.bound(Vm.of("B", 2000, 8000));

        assertThat(scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "first"))
                .isEqualTo(new MarkReply.Refused(RefusalCause.ATTEMPT_OVER));
        assertThat(scene.mark("B", Cause.UNDER_WAY, Resources.NONE, "second"))
                .as("of a member that came later")
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

        assertThat(scene.ruled("A", 3000).permit()).as("the other one goes on").isEqualTo(cpu(2000));
        scene.unmark("A", "theirs");
        assertThat(scene.ruled("A", 3000).permit()).isEqualTo(cpu(3000));
    }

    @Test
    void nobodyIsChosenToMoveWhoMovesAlready() {
        pressed();
        scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "theirs");

        for (var cause : List.of(Cause.PRESSURE, Cause.ALWAYS)) {
            assertThat(scene.mark("A", cause, ROOM, "ours"))
                    .as("%s", cause)
                    .isEqualTo(new MarkReply.Refused(RefusalCause.ALREADY_MOVING));
        }
        assertThat(scene.mark("A", Cause.BEGINNING, Resources.NONE, "ours"))
                .as("books were lost after its driver was asked")
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
    void aMarkTellsWhetherItsMigrationHasBegun() {
        pressed();
        scene.mark("A", Cause.PRESSURE, ROOM, "first");
        assertThat(marks()).containsExactly(new MigrationMark("first", false));

        scene.mark("A", Cause.BEGINNING, Resources.NONE, "first");
        assertThat(marks()).containsExactly(new MigrationMark("first", false));
        scene.mark("A", Cause.UNDER_WAY, Resources.NONE, "first");
        scene.mark("A", Cause.BEGINNING, Resources.NONE, "first");

        assertThat(marks()).as("once seen, it was there").containsExactly(new MigrationMark("first", true));
    }

    private List<MigrationMark> marks() {
        return LedgerView.full(scene.state, 0).members().stream()
                .filter(member -> member.member().equals("A"))
                .flatMap(member -> member.traits().marks().stream())
                .toList();
    }
}
