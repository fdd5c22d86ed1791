package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static io.sluice.ledger.core.Scene.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.NodeSums;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.permit.RefusalCause;
import io.sluice.units.Resources;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodePressureTest {
    private final Scene scene = Scene.loaded();

    @Test
    void whatWasDeniedOnceIsNoPressureOnceThereIsRoomAgain() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.fillTo(10_000);
        scene.ruled("A", 5000);
        assertThat(scene.outcome().tooMuch()).isTrue();

        scene.podGone("filler");

        assertThat(scene.state.sums().capacityPressure().milliCpu()).isEqualTo(3000);
        assertThat(scene.outcome().clear()).isTrue();
        assertThat(scene.outcome().tooMuch()).isFalse();
    }

    @Test
    void memoryAtItsWatermarkIsAboveItAndCpuIsNot() {
        scene.run(new LedgerCommand.Bind(reservation("P", "", new Resources(8000, 0), Overcommit.OFF)));
        assertThat(scene.outcome().clear()).isTrue();
        scene.run(new LedgerCommand.Bind(
                reservation("Q", "", new Resources(0, Scene.MEMORY_TOTAL / 10 * 8), Overcommit.OFF)));
        assertThat(scene.outcome().clear()).isFalse();
    }

    @Test
    void aBufferIsSlack() {
        scene.arrive(Vm.of("A", 1000, 9000));
        assertThat(scene.outcome().logical().milliCpu()).isEqualTo(1000);
        assertThat(scene.outcome().slack().milliCpu()).isEqualTo(8000);
        assertThat(scene.outcome().tooMuch()).isFalse();
    }

    @Test
    void aMarkGivesTheBufferBackAndAccountsOnce() {
        scene.arrive(Vm.of("A", 1000, 9000));
        scene.after(Duration.ofSeconds(71));

        scene.mark("A");
        scene.mark("A");

        assertThat(scene.reserved("A")).isEqualTo(1000);
        assertThat(scene.state.sums().accountedPressure()).isEqualTo(cpu(1000));
        assertThat(scene.state.sums().migrating()).isEqualTo(cpu(1000));
    }

    @Test
    void theEndOfAMigrationTakesExactlyAwayWhatItAdded() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.bound(Vm.of("B", 3000, 8000));
        scene.mark("A");
        scene.mark("B");
        scene.ruled("A", 4500);
        assertThat(scene.state.sums().accountedPressure().milliCpu()).isEqualTo(4500 + 3000);

        scene.unmark("A");
        scene.unmark("A");
        assertThat(scene.state.sums().accountedPressure().milliCpu()).isEqualTo(3000);
        scene.podGone("B");
        assertThat(scene.state.sums().accountedPressure()).isEqualTo(Resources.NONE);
    }

    @Test
    void accountedPressureIsInTheNodesScale() {
        scene.bound(Vm.of("A", 2000, 8000).overcommitted(2000));
        scene.mark("A");
        scene.ruled("A", 3001);

        assertThat(scene.state.sums().capacityPressure().milliCpu()).isEqualTo(500);
        assertThat(scene.state.sums().accountedPressure().milliCpu()).isEqualTo(1000 + 500);
    }

    /** Its kubelet may have less room than the total leaves. */
    @Test
    void whatAKubeletDefersIsPressureBelowTheWatermark() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.bound(Vm.of("B", 1000, 8000));
        scene.ruled("A", 2500);
        observe(Vm.of("A", 2500, 8000), 500);

        assertThat(scene.state.sums().capacityPressure()).isEqualTo(new Resources(500, 0));
        assertThat(scene.reserved("A")).isEqualTo(2500);
        assertThat(scene.outcome().clear()).isFalse();
        assertThat(scene.outcome().tooMuch()).isTrue();

        scene.mark("B");
        assertThat(scene.outcome().tooMuch()).as("1000 are leaving").isFalse();
        scene.unmark("B");
        assertThat(scene.outcome().tooMuch()).isTrue();

        observe(Vm.of("A", 2500, 8000), 0);
        assertThat(scene.state.sums()).isEqualTo(NodeSums.over(scene.state.reservations()));
        assertThat(scene.state.sums().capacityPressure()).isEqualTo(Resources.NONE);
        assertThat(scene.outcome().tooMuch()).isFalse();
    }

    @Test
    void whatIsDeferredOfOneKindLeavesTheOthersSlack() {
        scene.bound(Vm.of("A", 2000, 8000));
        observe(Vm.of("A", 2000, 8000), 1);

        assertThat(scene.outcome().slack().milliCpu()).isZero();
        assertThat(scene.outcome().slack().memoryBytes()).isPositive();
    }

    @Test
    void whatIsDeferredGoesWithItsPod() {
        scene.bound(Vm.of("A", 2000, 8000));
        observe(Vm.of("A", 2000, 8000), 300);
        scene.podGone("A");

        assertThat(scene.state.sums()).isEqualTo(NodeSums.ZERO);
        assertThat(scene.outcome().tooMuch()).isFalse();
    }

    private void observe(Vm vm, long deferred) {
        scene.run(new LedgerCommand.ObserveVm(vm.at(scene.nextVersion()).deferring(new Resources(deferred, 0))));
    }

    @Test
    void onlyKnownVmsMove() {
        scene.pod("P", cpu(1));

        assertThat(scene.mark("P")).isEqualTo(new MarkReply.Refused(RefusalCause.NOT_A_VM));
        assertThat(scene.mark("absent")).isEqualTo(new MarkReply.Refused(RefusalCause.POD_UNKNOWN));
        assertThat(scene.unmark("absent")).isEqualTo(new MarkReply.Refused(RefusalCause.POD_UNKNOWN));
    }
}
