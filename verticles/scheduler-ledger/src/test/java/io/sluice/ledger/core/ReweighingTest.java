package io.sluice.ledger.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The operator changes the watermark while nodes are full. */
class ReweighingTest {
    private final Scene scene = Scene.loaded();

    @Test
    @DisplayName("F21: a lowered watermark causes pressure and takes nothing back")
    void aLowerWatermarkPutsANodeUnderPressureAtOnce() {
        scene.bound(Vm.of("A", 2000, 8000));
        scene.fillTo(7000);
        assertThat(scene.outcome().tooMuch()).isFalse();

        scene.ruledBy(0.6);
        assertThat(scene.run(new LedgerCommand.Reweigh())).isTrue();

        assertThat(scene.state.size().watermark().milliCpu()).isEqualTo(6000);
        assertThat(scene.outcome().tooMuch()).isTrue();
        assertThat(scene.nodeReserved()).as("no reservation is lowered").isEqualTo(7000);
        assertThat(scene.run(new LedgerCommand.Reweigh())).as("a repeat").isFalse();
    }

    @Test
    void aNodeThatWasMissedFollowsWithTime() {
        scene.ruledBy(0.5);

        assertThat(scene.run(new LedgerCommand.Tick())).isEqualTo(1);

        assertThat(scene.state.size().watermark().milliCpu()).isEqualTo(5000);
        assertThat(scene.run(new LedgerCommand.Tick())).isZero();
    }

    @Test
    void aNodeThatWasNeverObservedStaysUnknown() {
        var blank = Scene.withRules(0.8);

        assertThat(blank.run(new LedgerCommand.Reweigh())).isFalse();
        assertThat(blank.state.isBlank()).isTrue();
    }
}
