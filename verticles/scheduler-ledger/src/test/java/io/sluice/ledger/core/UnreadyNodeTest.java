package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.LedgerView;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.permit.KindDecision.Rule;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node whose condition Ready is False or Unknown. */
@DisplayName("F13: a node that is not ready")
class UnreadyNodeTest {
    private static final Duration GRACE = Duration.ofSeconds(15);

    private final Scene scene = Scene.loaded();

    private void observed(boolean ready) {
        observed("", List.of(), ready);
    }

    private void observed(String closed, List<String> taints, boolean ready) {
        scene.run(new LedgerCommand.ObserveNode(new NodeObserved(
                Scene.NODE, scene.nextVersion(), new Resources(10_000, Scene.MEMORY_TOTAL), closed, taints, ready)));
    }

    private NodeReadiness shown() {
        return LedgerView.summary(scene.state, 0).readiness();
    }

    @Test
    void takesNoNewHoldFromTheFirstMoment() {
        observed(false);

        assertThat(scene.holdFor("m", cpu(1000), Duration.ofMinutes(2))).isEqualTo(new HoldReply.NodeNotReady());
        assertThat(scene.nodeReserved()).isZero();
        observed(true);
        assertThat(scene.holdFor("m", cpu(1000), Duration.ofMinutes(2))).isInstanceOf(HoldReply.Held.class);
    }

    @Test
    void renewsAHoldThatStoodBefore() {
        scene.holdFor("m", cpu(1000), Duration.ofMinutes(2));
        observed(false);

        assertThat(scene.after(Duration.ofMinutes(1)).holdFor("m", cpu(1000), Duration.ofMinutes(2)))
                .isEqualTo(new HoldReply.Held(Duration.ofMinutes(2)));
        assertThat(scene.holdFor("m", cpu(1001), Duration.ofMinutes(2))).isEqualTo(new HoldReply.NodeNotReady());
    }

    @Test
    void grantsGrowthForAWhileAndThenNoneUntilItIsReadyAgain() {
        scene.bound(Vm.of("A", 1000, 8000));
        observed(false);
        scene.after(GRACE.minusMillis(1));
        assertThat(scene.ruled("A", 2000).permit()).as("kubelets restart").isEqualTo(cpu(2000));

        scene.after(Duration.ofMillis(1));
        var cut = scene.ruled("A", 3000);
        assertThat(cut.permit()).isEqualTo(cpu(2000));
        assertThat(cut.cpu().outcome()).isEqualTo(Rule.NODE_NOT_READY);
        assertThat(cut.memory().outcome()).isEqualTo(Rule.NOTED);
        assertThat(cut.cpu().remaining()).isEqualTo(8000);
        assertThat(scene.pressure("A")).as("no other room would change it").isZero();

        observed(true);
        assertThat(scene.ruled("A", 3000).permit()).isEqualTo(cpu(3000));
    }

    @Test
    void takesEveryDecrease() {
        scene.bound(Vm.of("A", 4000, 8000));
        observed(false);
        scene.after(GRACE);

        assertThat(scene.ruled("A", 1000).permit()).isEqualTo(cpu(1000));
        assertThat(scene.nodeReserved()).isEqualTo(1000);
    }

    @Test
    void isNotReadySinceTheFirstObservationThatShowsItAndAnewAfterItWasReady() {
        scene.bound(Vm.of("A", 1000, 8000));
        observed(false);
        scene.after(GRACE.minusSeconds(1));
        observed(false);
        scene.after(Duration.ofSeconds(1));
        assertThat(scene.ruled("A", 2000).permit()).isEqualTo(cpu(1000));

        observed(true);
        observed(false);
        assertThat(scene.ruled("A", 2000).permit()).isEqualTo(cpu(2000));
    }

    @Test
    void showsWhatItPromisesStill() {
        assertThat(shown()).isEqualTo(NodeReadiness.READY);
        observed(false);
        assertThat(shown()).isEqualTo(NodeReadiness.NOT_READY);
        scene.after(GRACE).run(new LedgerCommand.Tick());
        assertThat(shown()).isEqualTo(NodeReadiness.GROWTH_STOPPED);
        observed(true);
        assertThat(shown()).isEqualTo(NodeReadiness.READY);
    }

    @Test
    void countsWhateverComesThereAllTheSame() {
        observed(false);

        scene.pod("P", cpu(700));
        scene.target("T", "vm", "m", cpu(900));
        scene.arrive(Vm.of("A", 1000, 3000));
        assertThat(scene.nodeReserved()).isEqualTo(700 + 900 + 3000);
    }

    @Test
    void letsNoVmBeginToMoveAwayAndMarksOneThatIsMovingAlready() {
        scene.bound(Vm.of("A", 9500, 9500));
        assertThat(scene.outcome().tooMuch()).isTrue();
        observed(false);

        for (var cause : List.of(MarkMigrating.Cause.PRESSURE, MarkMigrating.Cause.ALWAYS)) {
            assertThat(scene.mark("A", cause, cpu(9500))).isEqualTo(new MarkReply.Refused(RefusalCause.NODE_NOT_READY));
        }
        assertThat(scene.mark("A")).isEqualTo(new MarkReply.Marked(cpu(9500)));
    }

    @Test
    void takesNothingBackThatALostLedgerPermitted() {
        var lost = Scene.withRules(0.8);
        var vm = Vm.of("A", 1000, 4000);
        var unready = new NodeObserved(Scene.NODE, 1, new Resources(10_000, Scene.MEMORY_TOTAL), "", List.of(), false);
        lost.run(new LedgerCommand.ObserveNode(unready));
        lost.load(List.of(lost.podObservation("A", "A", vm.use())), List.of(vm.at(lost.nextVersion())));
        lost.run(new LedgerCommand.ObserveNode(
                new NodeObserved(Scene.NODE, lost.nextVersion(), unready.allocatable(), "", List.of(), false)));
        lost.after(Duration.ofSeconds(16)).settle("A", cpu(1000));

        var ruled = lost.ruled("A", cpu(3000), Optional.of(cpu(2500)));
        assertThat(ruled.permit()).isEqualTo(cpu(2500));
        assertThat(ruled.cpu().outcome()).isEqualTo(Rule.NODE_NOT_READY);
    }

    @Test
    void aNodeThatIsCordonedOrTaintedGrantsAndHoldsAsBefore() {
        scene.bound(Vm.of("A", 1000, 8000));
        observed("cordoned", List.of("a=b:NoSchedule"), true);
        scene.after(GRACE.multipliedBy(2));

        assertThat(scene.ruled("A", 3000).permit()).isEqualTo(cpu(3000));
        assertThat(scene.holdFor("m", cpu(1000), Duration.ofMinutes(2))).isInstanceOf(HoldReply.Held.class);
        assertThat(shown()).isEqualTo(NodeReadiness.READY);
    }
}
