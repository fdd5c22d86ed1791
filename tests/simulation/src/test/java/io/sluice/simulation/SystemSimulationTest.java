package io.sluice.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.sluice.agent.core.scaling.PermitSafety;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * All cores together in virtual time, with every fault of the model: no invariant breaks after any event, and once the
 * faults end everything comes to rest. {@code -Dseed=N} plays that history alone.
 */
class SystemSimulationTest {
    private static final int HISTORIES = Integer.getInteger("sluice.simulation.histories", 1_000);
    private static final long FIRST_SEED = 1;
    private static final long EVENTS_MIN = 200;
    private static final int CAUGHT_WITHIN = 20;
    private static final int PODS = 4;
    private static final int GANGS = 2;
    private static final int SCALED_PODS = 4;
    private static final HistoryShape STANDARD = Histories.standard();

    @Test
    @DisplayName("F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12, F13, F14, F15, F16, F17, F18, F21: no invariant"
            + " breaks after any event, and everything converges once the faults end")
    void noHistoryBreaksAnInvariantAndEachComesToRest() {
        var only = System.getProperty("seed", "");
        if (!only.isBlank()) {
            Histories.explain(Long.parseLong(only), STANDARD).ifPresent(broken -> fail(broken.toString()));
            return;
        }
        var sum = LongStream.range(FIRST_SEED, FIRST_SEED + HISTORIES)
                .parallel()
                .mapToObj(seed -> play(seed, STANDARD))
                .reduce(HistoryReport.NONE, HistoryReport::plus);

        assertThat(sum.faults()).as("faults").isGreaterThan(50L * HISTORIES);
        assertThat(sum.patches()).as("patches").isGreaterThan(3L * HISTORIES);
        assertThat(sum.denials()).as("denials").isGreaterThan(HISTORIES);
        assertThat(sum.refusals()).as("commands that no ledger could run").isGreaterThan(HISTORIES);
        assertThat(sum.moves()).as("VMs that moved").isGreaterThan(HISTORIES / 2);
        assertThat(sum.reclaims()).as("reservations that were reclaimed").isGreaterThan(HISTORIES / 4);
    }

    private static HistoryReport play(long seed, HistoryShape shape) {
        try {
            var report = Histories.play(seed, shape);
            assertThat(report.events()).as("events of seed %d", seed).isGreaterThan(EVENTS_MIN);
            return report;
        } catch (BrokenHistory broken) {
            return fail(
                    Histories.explain(seed, shape).map(Explanation::toString).orElse("no more"), broken);
        }
    }

    @Test
    @DisplayName("pods that come and go through placement have room from their bind to their end; no hold is left over")
    void noHistoryWithPodsBreaksAnInvariantAndEachComesToRest() {
        var sum = LongStream.range(FIRST_SEED, FIRST_SEED + HISTORIES / 2)
                .parallel()
                .mapToObj(seed -> play(seed, STANDARD.withPods(PODS)))
                .reduce(HistoryReport.NONE, HistoryReport::plus);
        assertThat(sum.evictions())
                .as("pods that were evicted for others of higher priority")
                .isGreaterThan(HISTORIES / 10);
        assertThat(sum.kept()).as("holds that kept room denied").isPositive();
    }

    @Test
    @DisplayName("gangs that come and go start whole or not at all, whatever fails; no hold is left over")
    void noHistoryWithGangsBreaksAnInvariantAndEachComesToRest() {
        var sum = LongStream.range(FIRST_SEED, FIRST_SEED + HISTORIES / 4)
                .parallel()
                .mapToObj(seed -> play(seed, STANDARD.withPods(PODS).withGangs(GANGS)))
                .reduce(HistoryReport.NONE, HistoryReport::plus);
        assertThat(sum.gangs()).as("gangs that started").isGreaterThan(HISTORIES / 8);
        assertThat(sum.keptForGangs()).as("rooms that were kept for gangs").isPositive();
    }

    @Test
    @DisplayName("F2, F3, F4, F5, F11, F12, F13, F14, F21: what a kubelet has given a pod, and may still give it, is"
            + " reserved, whatever fails; none is left deferred")
    void noHistoryWithScaledPodsBreaksAnInvariantAndEachComesToRest() {
        int histories = HISTORIES / 8;
        var sum = LongStream.range(FIRST_SEED, FIRST_SEED + histories)
                .parallel()
                .mapToObj(seed -> play(seed, STANDARD.withScaledPods(SCALED_PODS)))
                .reduce(HistoryReport.NONE, HistoryReport::plus);
        assertThat(sum.deferrals()).as("resizes that a kubelet deferred").isGreaterThan(histories / 2);
        assertThat(sum.withdrawals()).as("resizes that were withdrawn").isGreaterThan(histories / 4);
        assertThat(sum.patches()).as("sizes that were applied").isGreaterThan(3L * histories);
    }

    @Test
    @DisplayName("F7: what agents gave up while the gateway stood still frees no room that they may still use")
    void noHistoryWithPausesOfTheGatewayBreaksAnInvariantAndEachComesToRest() {
        int histories = HISTORIES / 4;
        var sum = LongStream.range(FIRST_SEED, FIRST_SEED + histories)
                .parallel()
                .mapToObj(seed -> play(seed, STANDARD.withGatewayPauses()))
                .reduce(HistoryReport.NONE, HistoryReport::plus);
        assertThat(sum.patches()).as("sizes that were applied").isGreaterThan(3L * histories);
    }

    @Test
    void theSameSeedGivesTheSameHistory() {
        assertThat(Histories.play(FIRST_SEED, STANDARD)).isEqualTo(Histories.play(FIRST_SEED, STANDARD));
    }

    /** The proof that the checks can fail: agents that follow the reference's rules break an invariant soon. */
    @Test
    void agentsThatAreNotStrictAreCaught() {
        var loose = STANDARD.with(PermitSafety.REFERENCE);

        assertThatThrownBy(() -> LongStream.range(FIRST_SEED, FIRST_SEED + CAUGHT_WITHIN)
                        .forEach(seed -> Histories.play(seed, loose)))
                .isInstanceOf(BrokenHistory.class);
    }
}
