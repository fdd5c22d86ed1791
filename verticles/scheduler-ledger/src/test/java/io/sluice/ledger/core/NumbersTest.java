package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static io.sluice.ledger.core.Scene.request;
import static io.sluice.ledger.core.Scene.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fourteen rows of numbers, CPU only: units of 250, a node of 10000 with its watermark at 8000. */
class NumbersTest {
    private final Scene scene = Scene.loaded();

    @Test
    void l1_grantsWhatFits() {
        node(2000, 7000);

        var ruled = scene.ruled("A", 3000);

        assertThat(ruled.permit()).isEqualTo(cpu(3000));
        assertThat(ruled.cpu())
                .isEqualTo(new KindDecision(KindDecision.Rule.GRANTED, 2000, 3000, 3000, 3000, 8000, 10_000));
        assertThat(scene.nodeReserved()).isEqualTo(8000);
        assertThat(scene.outcome().tooMuch()).isFalse();
    }

    @Test
    void l2_cutsToWhatTheNodeHasAndPutsItUnderPressure() {
        l2();

        assertThat(scene.pressure("A")).isEqualTo(1000);
        assertThat(scene.nodeReserved()).isEqualTo(10_000);
        assertThat(scene.outcome().logical().milliCpu()).isEqualTo(2000);
        assertThat(scene.state.sums().capacityPressure().milliCpu()).isEqualTo(1000);
        assertThat(scene.outcome().tooMuch()).isTrue();
    }

    private void l2() {
        node(2000, 9000);
        var ruled = scene.ruled("A", 4000);
        assertThat(ruled.permit()).isEqualTo(cpu(3000));
        assertThat(ruled.cpu())
                .isEqualTo(new KindDecision(KindDecision.Rule.CUT_TO_ROOM, 2000, 4000, 3000, 1000, 10_000, 10_000));
    }

    @Test
    void l3_aVmThatIsContentPressesNoMore() {
        l2();

        assertThat(scene.ruled("A", 3000).permit()).isEqualTo(cpu(3000));

        assertThat(scene.pressure("A")).isZero();
        assertThat(scene.outcome().logical().milliCpu()).isEqualTo(2000);
        assertThat(scene.outcome().tooMuch()).isTrue();
    }

    @Test
    void l4_oneMigrationAccountsForAllOfThePressure() {
        l2();

        assertThat(scene.mark("A")).isEqualTo(new MarkReply.Marked(cpu(3000)));

        assertThat(scene.state.sums().accountedPressure().milliCpu()).isEqualTo(4000);
        assertThat(scene.outcome().tooMuch()).isFalse();
    }

    @Test
    void l5_aVmThatMovesIsGrantedNothingAndAccountedForInFull() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.mark("A");

        var ruled = scene.ruled("A", 2500);

        assertThat(ruled.permit()).isEqualTo(cpu(2000));
        assertThat(ruled.migrating()).isTrue();
        assertThat(ruled.cpu().outcome()).isEqualTo(KindDecision.Rule.MIGRATING);
        assertThat(scene.pressure("A")).isEqualTo(500);
        assertThat(scene.state.sums().accountedPressure().milliCpu()).isEqualTo(2500);
    }

    @Test
    void l6_aDecreaseIsTakenAsReported() {
        node(3000, 9900);

        assertThat(scene.ruled("A", 1000).permit()).isEqualTo(cpu(1000));

        assertThat(scene.nodeReserved()).isEqualTo(7900);
    }

    @Test
    void l7_whatIsLeftBelowOneUnitIsNotGranted() {
        node(2000, 9900);

        var ruled = scene.ruled("A", 2500);

        assertThat(ruled.permit()).isEqualTo(cpu(2000));
        assertThat(ruled.cpu().remaining()).isEqualTo(100);
        assertThat(scene.pressure("A")).isEqualTo(500);
    }

    @Test
    void l8_afterALossAVmIsReservedAtItsMaximum() {
        var lost = afterALoss();

        assertThat(lost.reserved("A")).isEqualTo(4000);
        assertThat(lost.buffer("A")).isEqualTo(3000);
    }

    private static Scene afterALoss() {
        var lost = Scene.withRules(0.8);
        var pod = lost.podObservation("A", "A", cpu(1000));
        var vm = Vm.of("A", 1000, 4000).at(lost.nextVersion());
        assertThat(lost.load(List.of(pod), List.of(vm)).unsettled()).isEqualTo(1);
        return lost;
    }

    @Test
    void l9_theFirstRequestEndsWhatWasAssumed() {
        var lost = afterALoss();

        var ruled = lost.ruled("A", cpu(1000), Optional.of(cpu(2000)));

        assertThat(ruled.permit()).isEqualTo(cpu(1000));
        assertThat(lost.reserved("A")).isEqualTo(1000);
        assertThat(lost.buffer("A")).isZero();
    }

    @Test
    @DisplayName("F3: a permit of lost state is not taken back by a refusal")
    void l10_whatALostLedgerGrantedIsNeverTakenBackByRefusing() {
        var lost = Scene.withRules(0.8);
        var a = Vm.of("A", 1000, 8000);
        lost.load(
                List.of(lost.podObservation("A", "A", cpu(1000)), lost.podObservation("F", "", new Resources(9000, 0))),
                List.of(a.at(lost.nextVersion())));
        lost.after(Duration.ofSeconds(11));
        assertThat(lost.settle("A", cpu(1000))).isEqualTo(new ReclaimReply.Settled(cpu(1000)));
        assertThat(lost.nodeReserved()).isEqualTo(10_000);

        var ruled = lost.ruled("A", cpu(3000), Optional.of(cpu(3000)));

        assertThat(ruled.permit()).isEqualTo(cpu(3000));
        assertThat(lost.nodeReserved()).isEqualTo(12_000);
        lost.bound(Vm.of("C", 250, 1000));
        assertThat(lost.ruled("C", 500).permit()).isEqualTo(cpu(250));
    }

    @Test
    void l11_roomIsWorthMoreToAnOvercommittedVm() {
        scene.bound(Vm.of("A", 2000, 8000).overcommitted(2000));
        assertThat(scene.nodeReserved()).isEqualTo(1000);
        scene.fillTo(9000);

        var ruled = scene.ruled("A", 6000);

        assertThat(ruled.permit()).isEqualTo(cpu(4000));
        assertThat(ruled.cpu().remaining()).isEqualTo(2000);
        assertThat(scene.nodeReserved()).isEqualTo(10_000);
    }

    @Test
    @DisplayName("F2: only the next request of the current session counts")
    void l12_onlyTheNextRequestOfTheCurrentSessionCounts() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.open("A", "runner-1", 1);
        var seventh = request("A", 2, 7, cpu(3000));
        var answer = scene.request(seventh);
        var before = scene.state;

        assertThat(scene.request(request("A", 2, 6, cpu(500)))).isEqualTo(new PermitReply.Late(7, cpu(3000)));
        assertThat(scene.request(seventh)).isEqualTo(answer);
        assertThat(scene.request(request("A", 1, 8, cpu(500)))).isEqualTo(new PermitReply.Superseded(2, "runner-1"));
        assertThat(scene.request(request("A", 3, 1, cpu(500)))).isEqualTo(new PermitReply.OpenAgain(2));
        assertThat(scene.state).isSameAs(before);
    }

    @Test
    void l13_aHoldThatDoesNotFitNamesTheShortfall() {
        scene.fillTo(8000);

        var reply = scene.run(
                new LedgerCommand.Hold(reservation("H", "", cpu(3000), Overcommit.OFF), Duration.ofSeconds(30)));

        assertThat(reply)
                .isEqualTo(new HoldReply.NoRoom(
                        new Resources(1000, 0), new Resources(8000, 0), new Resources(10_000, Scene.MEMORY_TOTAL)));
        assertThat(scene.nodeReserved()).isEqualTo(8000);
    }

    @Test
    void l14_aHoldCountsForTheVmsThatRequest() {
        node(2000, 8000);
        scene.run(new LedgerCommand.Hold(reservation("H", "", cpu(2000), Overcommit.OFF), Duration.ofSeconds(30)));

        assertThat(scene.ruled("A", 2500).permit()).isEqualTo(cpu(2000));

        assertThat(scene.pressure("A")).isEqualTo(500);
        assertThat(scene.state.sums().held().milliCpu()).isEqualTo(2000);
    }

    /** A has this reservation, and the node in all that one. */
    private void node(long a, long reserved) {
        scene.bound(Vm.of("A", a, 8000));
        scene.fillTo(reserved);
    }
}
