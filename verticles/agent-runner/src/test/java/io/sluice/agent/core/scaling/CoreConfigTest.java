package io.sluice.agent.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoreConfigTest {
    @ParameterizedTest(name = "{0}, {1}, {2}")
    @CsvSource({
        "2, 0.75, 0.9, loadAverageFractionTarget=2.0",
        "-0.1, 0.75, 0.9, loadAverageFractionTarget=-0.1",
        "0.9, 1, 0.9, memoryUsageFractionTarget=1.0",
        "0.9, 0.75, NaN, memoryTotalFractionTarget=NaN"
    })
    void refusesTargetsOutOfRange(double load, double usage, double total, String named) {
        assertThatThrownBy(() -> new ScalingConfig(load, usage, total, false, false, 0.75, 5, 5, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("agent.scaling." + named);
    }

    @ParameterizedTest(name = "useLargest {0}, min wait {1}, window {2}")
    @CsvSource({"false, 0, 5", "true, 0, 5", "true, 5, 1", "false, 4, 5"})
    void refusesWindowsThatNoWorkingSetCanBeReadFrom(boolean useLargest, int minWait, int window) {
        assertThatThrownBy(() -> new ScalingConfig(0.9, 0.75, 0.9, true, useLargest, 0.75, minWait, window, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("agent.scaling.lfc");
    }

    @Test
    void overlaysFieldByField() {
        var mixed = ScalingConfig.DEFAULTS.overlaid(Overrides.window(3));
        assertThat(mixed.lfcWindowSizeMinutes()).isEqualTo(3);
        assertThat(mixed.loadAverageFractionTarget()).isEqualTo(0.9);
        assertThat(ScalingConfig.DEFAULTS.overlaid(Overrides.NONE)).isEqualTo(ScalingConfig.DEFAULTS);
    }

    @Test
    void overlaysEachOfItsFields() {
        var own = new ScalingConfig(0.1, 0.2, 0.3, true, true, 0.4, 8, 7, 0.5, 0.6);
        var all = new ScalingOverrides(
                Optional.of(0.1),
                Optional.of(0.2),
                Optional.of(0.3),
                Optional.of(true),
                Optional.of(true),
                Optional.of(0.4),
                Optional.of(8),
                Optional.of(7),
                Optional.of(0.5),
                Optional.of(0.6));
        assertThat(ScalingConfig.DEFAULTS.overlaid(all)).isEqualTo(own);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "requestTick",
                "schedulerRetryWait",
                "neonVmRetryWait",
                "monitorRetryWait",
                "deniedDownscaleCooldown",
                "requestedUpscaleValid",
                "confirmTimeout",
                "deniedRetryWait"
            })
    void refusesAWaitOfNothing(String key) {
        assertThatThrownBy(() -> without(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("agent." + key + "=0s must be positive");
    }

    private static CoreConfig without(String key) {
        var usual = CoreConfig.DEFAULTS;
        return new CoreConfig(
                usual.computeUnit(),
                usual.scaling(),
                unless(key, "requestTick", usual.requestTick()),
                unless(key, "schedulerRetryWait", usual.schedulerRetryWait()),
                unless(key, "deniedRetryWait", usual.deniedRetryWait()),
                unless(key, "neonVmRetryWait", usual.neonVmRetryWait()),
                unless(key, "monitorRetryWait", usual.monitorRetryWait()),
                unless(key, "deniedDownscaleCooldown", usual.deniedDownscaleCooldown()),
                unless(key, "requestedUpscaleValid", usual.requestedUpscaleValid()),
                PermitSafety.STRICT,
                usual.permitValidFor(),
                ConfirmationMode.PATCH,
                unless(key, "confirmTimeout", usual.confirmTimeout()),
                0);
    }

    private static Duration unless(String nothing, String key, Duration usual) {
        return nothing.equals(key) ? Duration.ZERO : usual;
    }

    @Test
    void refusesPermitsThatLapseBeforeADenialIsRetried() {
        assertThatThrownBy(() -> config(Scenario.UNIT, Duration.ofSeconds(2), 0))
                .hasMessage("agent.permitValidFor=2s must exceed agent.deniedRetryWait=2s");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE / 1_000})
    void refusesAComputeUnitThatIsNoneOrCannotBeCounted(long bytes) {
        assertThatThrownBy(() -> config(new Resources(250, bytes), Duration.ofSeconds(10), 0))
                .hasMessageContaining("agent.computeUnit=");
    }

    @Test
    void refusesANegativeStep() {
        assertThatThrownBy(() -> config(Scenario.UNIT, Duration.ofSeconds(10), -1))
                .hasMessageContaining("agent.maxUpscaleStepCu=-1");
    }

    @Test
    void countsMemoryInWholeSlots() {
        var vm = new VmInfo(
                Scenario.cu(1),
                Scenario.cu(8),
                new Resources(500, (2L << 30) + 5),
                1L << 30,
                Overrides.NONE,
                Optional.empty(),
                Optional.empty());
        assertThat(vm.using()).isEqualTo(Scenario.cu(2));
    }

    @Test
    void dropsTheFileCachesMetricsWithTheirUse() {
        var scenario = Scenario.of(1);
        var on = new VmInfo(
                Scenario.cu(1),
                Scenario.cu(8),
                Scenario.cu(1),
                1L << 30,
                Overrides.lfc(true),
                Optional.empty(),
                Optional.empty());
        scenario.core().vmUpdated(on, scenario.now());
        scenario.load(1).core().lfcMetrics(new LfcMetrics(Collections.nCopies(9, 3e5)), scenario.now());
        assertThat(scenario.next().basis().lfcCu()).isPresent();

        scenario.core().vmUpdated(Scenario.vm(Scenario.cu(1), Optional.empty(), Optional.empty()), scenario.now());
        assertThat(scenario.next().basis().lfcCu()).isEmpty();
    }

    private static CoreConfig config(Resources unit, Duration permitValidFor, int maxStepCu) {
        var usual = CoreConfig.DEFAULTS;
        return new CoreConfig(
                unit,
                usual.scaling(),
                usual.requestTick(),
                usual.schedulerRetryWait(),
                usual.deniedRetryWait(),
                usual.neonVmRetryWait(),
                usual.monitorRetryWait(),
                usual.deniedDownscaleCooldown(),
                usual.requestedUpscaleValid(),
                PermitSafety.STRICT,
                permitValidFor,
                ConfirmationMode.PATCH,
                usual.confirmTimeout(),
                maxStepCu);
    }
}
