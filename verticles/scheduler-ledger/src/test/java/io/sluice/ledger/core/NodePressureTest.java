package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.booking;
import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.MarkReply;
import io.sluice.messages.ledger.RefusalCause;
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
        assertThat(scene.verdict().tooMuch()).isTrue();

        scene.podGone("filler");

        assertThat(scene.state.sums().capacityPressure().milliCpu()).isEqualTo(3000);
        assertThat(scene.verdict().clear()).isTrue();
        assertThat(scene.verdict().tooMuch()).isFalse();
    }

    @Test
    void memoryAtItsWatermarkIsAboveItAndCpuIsNot() {
        scene.run(new LedgerCommand.Bind(booking("P", "", new Resources(8000, 0), Overcommit.OFF)));
        assertThat(scene.verdict().clear()).isTrue();
        scene.run(new LedgerCommand.Bind(
                booking("Q", "", new Resources(0, Scene.MEMORY_TOTAL / 10 * 8), Overcommit.OFF)));
        assertThat(scene.verdict().clear()).isFalse();
    }

    @Test
    void aBufferIsSlack() {
        scene.arrive(Vm.of("A", 1000, 9000));
        assertThat(scene.verdict().logical().milliCpu()).isEqualTo(1000);
        assertThat(scene.verdict().slack().milliCpu()).isEqualTo(8000);
        assertThat(scene.verdict().tooMuch()).isFalse();
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

    @Test
    void onlyKnownVmsMove() {
        scene.pod("P", cpu(1));

        assertThat(scene.mark("P")).isEqualTo(new MarkReply.Refused(RefusalCause.NOT_A_VM));
        assertThat(scene.mark("nobody")).isEqualTo(new MarkReply.Refused(RefusalCause.MEMBER_UNKNOWN));
        assertThat(scene.unmark("nobody")).isEqualTo(new MarkReply.Refused(RefusalCause.MEMBER_UNKNOWN));
    }
}
