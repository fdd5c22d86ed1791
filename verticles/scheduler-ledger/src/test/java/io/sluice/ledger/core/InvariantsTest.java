package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static io.sluice.ledger.core.Scene.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.MigrationArrival;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.NodeSums;
import io.sluice.ledger.core.state.ReservationAmounts;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.shell.Portions;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checks find planted defects: each test breaks a consistent state in one way. */
class InvariantsTest {
    private static final LedgerRules RULES = Scene.rules(0.8, LastPermitTrust.RECOVERY);
    private final Scene scene = Scene.loaded();

    @BeforeEach
    void ledger() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.fillTo(9_000);
        scene.open("A", "one", 0);
    }

    @Test
    void findsSumsThatDoNotAddUp() {
        var state = scene.state;
        var wrong = state.sums().plus(NodeSums.of(scene.reservation("A")));

        assertThat(violations(new NodeState(
                        state.node(),
                        state.size(),
                        state.fullList(),
                        wrong,
                        state.reservations(),
                        state.gone(),
                        state.claim())))
                .anyMatch(text -> text.contains("add up to"));
    }

    @Test
    void findsAReservationChangedBehindTheSums() {
        var state = scene.state;
        var moving = scene.reservation("A").with(scene.reservation("A").status().with(new MigrationMark("move", true)));

        assertThat(violations(state.withSession(moving))).anyMatch(text -> text.contains("add up to"));
    }

    @Test
    void findsABufferAboveWhatIsReserved() {
        var reservation = scene.reservation("A");
        var odd = new ReservationAmounts(
                cpu(1), cpu(1), Resources.NONE, cpu(2), reservation.amounts().overcommit());

        assertThat(violations(scene.state.with(reservation.with(odd))))
                .anyMatch(text -> text.startsWith("buffer of ns/A"));
    }

    @Test
    void findsAPermitBeyondTheRoom() {
        assertThat(grant(new LedgerCommand.RequestPermit(request("A", 1, 1, cpu(4000))), 4000))
                .anyMatch(text -> text.contains("above the total"));
    }

    @Test
    void findsAPermitBeyondTheRequest() {
        assertThat(grant(new LedgerCommand.RequestPermit(request("A", 1, 1, cpu(2200))), 2500))
                .anyMatch(text -> text.contains("not between 2000 and 2200"));
    }

    @Test
    void findsADecreaseThatWasNotTaken() {
        assertThat(grant(new LedgerCommand.RequestPermit(request("A", 1, 1, cpu(1000))), 1500))
                .anyMatch(text -> text.contains("has the target 1000"));
    }

    @Test
    void findsGrowthWhileMoving() {
        scene.mark("A");

        assertThat(grant(new LedgerCommand.RequestPermit(request("A", 1, 1, cpu(2500))), 2500))
                .anyMatch(text -> text.contains("while migrating"));
    }

    @Test
    void findsGrowthAboveTheMaximum() {
        scene.podGone("filler");

        assertThat(grant(new LedgerCommand.RequestPermit(request("A", 1, 1, cpu(9000))), 9000))
                .anyMatch(text -> text.contains("above its maximum"));
    }

    @Test
    void findsAReplyThatWasNotReserved() {
        var command = new LedgerCommand.RequestPermit(request("A", 1, 1, cpu(2200)));
        var reserved = reserved(2200);
        var outcome = new CommandOutcome<PermitReply>(reserved, ruled(2500), List.of());

        assertThat(violations(command, outcome)).anyMatch(text -> text.contains("but reserved"));
    }

    @Test
    void findsAHoldBesideTheTargetThatTookItOver() {
        scene.target("T", "vm", "move", cpu(1));
        var before = scene.state;
        var scratch = Scene.loaded();
        scratch.holdFor("move", cpu(1), Duration.ofSeconds(60));
        var hold = scratch.reservation(HoldRoom.forMigration("ns", "move"));

        assertThat(violations(before.with(hold))).anyMatch(text -> text.contains("took over the hold"));
    }

    @Test
    void findsATargetThatItsVmRunsInAlready() {
        var reservation = scene.reservation("A");
        var odd = reservation.with(reservation.status().arrived(MigrationArrival.by("ns", "move", true)));

        assertThat(violations(scene.state.with(odd))).anyMatch(text -> text.contains("already runs its VM"));
    }

    @Test
    void findsAPodObservationThatShrinksAVm() {
        var command = new LedgerCommand.ObservePod(scene.podObservation("A", "A", cpu(500)));
        var outcome = new CommandOutcome<>(reserved(500), ObservationReply.TAKEN, List.of());

        assertThat(violations(command, outcome))
                .anyMatch(text -> text.startsWith("an observation of a pod lowered ns/A"));
    }

    @Test
    void findsAMarkForWhichThereIsNoPressureOrNoRoom() {
        scene.podGone("filler");
        var request = new MarkMigrating(Scene.NODE, "A", MarkMigrating.Cause.PRESSURE, cpu(1000), "move");
        var reservation = scene.reservation("A");
        var marked = scene.state.with(reservation.with(reservation.status().with(new MigrationMark("move", true))));
        var outcome = new CommandOutcome<MarkReply>(marked, new MarkReply.Marked(cpu(2000)), List.of());

        assertThat(violations(new LedgerCommand.Mark(request), outcome))
                .anyMatch(text -> text.contains("the node is not under pressure"))
                .anyMatch(text -> text.contains("for which only"));
    }

    @Test
    void findsAMarkThatWasAnsweredWrongly() {
        var request = new MarkMigrating(Scene.NODE, "A", MarkMigrating.Cause.UNDER_WAY, Resources.NONE, "move");
        var command = new LedgerCommand.Mark(request);
        var unmarked = new CommandOutcome<MarkReply>(scene.state, new MarkReply.Marked(cpu(2000)), List.of());
        var changed = new CommandOutcome<MarkReply>(reserved(1), new MarkReply.Outgrown(cpu(2000)), List.of());

        assertThat(violations(command, unmarked)).anyMatch(text -> text.startsWith("replied to a mark"));
        assertThat(violations(command, changed)).anyMatch(text -> text.startsWith("refused a mark"));
    }

    @Test
    void aLedgerThatBreaksARuleReportsIt() {
        var broken = scene.state.withSession(scene.reservation("A")
                .with(ReservationAmounts.used(
                        cpu(1), scene.reservation("A").amounts().overcommit())));

        var outcome = new NodeLedger(RULES)
                .apply(broken, new LedgerCommand.ObservePod(scene.podObservation("P", "", cpu(1))), scene.now, 1);

        assertThat(outcome.notices()).anyMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
    }

    @Test
    void aLedgerThatIsNotConfiguredToCheckDoesNot() {
        var trusting = new NodeLedger(new LedgerRules(
                Duration.ofSeconds(10), 0.8, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.NONE));
        var broken = scene.state.withSession(scene.reservation("A")
                .with(ReservationAmounts.used(
                        cpu(1), scene.reservation("A").amounts().overcommit())));

        assertThat(trusting.apply(
                                broken,
                                new LedgerCommand.ObservePod(scene.podObservation("P", "", cpu(1))),
                                scene.now,
                                1)
                        .notices())
                .noneMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
    }

    @Test
    void aSampleCountsAgainWhatNoCommandHasChanged() {
        var sampling = new NodeLedger(new LedgerRules(
                Duration.ofSeconds(10), 0.8, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.CHANGES));
        var broken = scene.state.withSession(scene.reservation("A")
                .with(ReservationAmounts.used(
                        cpu(1), scene.reservation("A").amounts().overcommit())));
        var elsewhere = new LedgerCommand.ObservePod(scene.podObservation("P", "", cpu(1)));

        assertThat(sampling.apply(broken, elsewhere, scene.now, 1).notices())
                .noneMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
        assertThat(sampling.apply(broken, new LedgerCommand.Tick(), scene.now, 1)
                        .notices())
                .anyMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
    }

    /**
     * The violations in a state that a command has led to, by what has changed; counting everything again finds all of
     * them too.
     */
    private List<String> violations(NodeState after) {
        return violations(new LedgerCommand.Tick(), new CommandOutcome<>(after, 1, List.of()));
    }

    private List<String> violations(LedgerCommand<?> command, CommandOutcome<?> outcome) {
        var changes = Invariants.check(scene.state, command, outcome, RULES, false);
        assertThat(Invariants.check(scene.state, command, outcome, RULES, true)).containsAll(changes);
        return changes;
    }

    /** The violations that are found when a ledger replies to this request with this permit and reserves it. */
    private List<String> grant(LedgerCommand.RequestPermit command, long milliCpu) {
        var outcome = new CommandOutcome<PermitReply>(reserved(milliCpu), ruled(milliCpu), List.of());
        return violations(command, outcome);
    }

    private NodeState reserved(long milliCpu) {
        var reservation = scene.reservation("A");
        return scene.state.with(reservation.with(
                ReservationAmounts.used(cpu(milliCpu), reservation.amounts().overcommit())));
    }

    private static PermitReply.Ruled ruled(long milliCpu) {
        var cpu = new KindDecision(KindDecision.Rule.GRANTED, 2000, milliCpu, milliCpu, 0, 0, 0);
        var memory = new KindDecision(KindDecision.Rule.NOTED, Scene.MEMORY, Scene.MEMORY, Scene.MEMORY, 0, 0, 0);
        return new PermitReply.Ruled(1, 1, cpu(milliCpu), Duration.ofSeconds(10), false, cpu, memory);
    }
}
