package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.core.runner.LfcScrape;
import io.sluice.agent.core.runner.ScalingEventRecorderConfig;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.units.Resources;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentConfigTest {
    static Stream<Arguments> wrongs() {
        return Stream.of(
                Arguments.of("computeUnit", new Resources(0, 1), "agent.computeUnit="),
                Arguments.of("requestTick", Duration.ZERO, "agent.requestTick=0s must be between"),
                Arguments.of("requestTickJitter", Duration.ofSeconds(15), "agent.requestTickJitter=15s must be"),
                Arguments.of("permitValidFor", Duration.ofSeconds(2), "must exceed agent.deniedRetryWait=2s"),
                Arguments.of("scrapeTimeout", Duration.ofSeconds(20), "must exceed agent.scrapeTimeout=20s"),
                Arguments.of("requestDeadline", Duration.ofSeconds(12), "agent.requestDeadline=12s must exceed 12s"),
                Arguments.of("scrapeMaxSize", 1, "agent.scrapeMaxSize=1B must be between"),
                Arguments.of("restartMax", Duration.ofSeconds(1), "agent.restartMax=1s"),
                Arguments.of("maxUpscaleStepCu", -1, "agent.maxUpscaleStepCu=-1"),
                Arguments.of("maxVms", 0, "agent.maxVms=0 must be between"),
                Arguments.of(
                        "assignment",
                        AssignmentMode.NODE,
                        "agent.node must name the node whose VMs are served, as agent.assignment"),
                Arguments.of("node", "n1", "agent.node=n1 has no effect unless agent.assignment is node"));
    }

    @ParameterizedTest
    @MethodSource("wrongs")
    void namesTheKeyOfWhatIsWrong(String key, Object value, String message) {
        assertThatThrownBy(() -> with(key, value))
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void namesTheKeysOfTheFileCachesScrape() {
        var second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new LfcScrape(Duration.ZERO, second))
                .hasMessage("agent.lfc.period=0s must be positive");
        assertThatThrownBy(() -> new LfcScrape(second, Duration.ZERO))
                .hasMessage("agent.lfc.timeout=0s must be positive");
        assertThatThrownBy(() -> with("lfc", new LfcScrape(second, Duration.ofSeconds(15))))
                .rootCause()
                .hasMessage("agent.requestDeadline=15s must exceed agent.lfc.timeout=15s");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.25, 1_001, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesMultipliersThatMakeNoUnit(double multiplier) {
        assertThatThrownBy(() -> new ScalingEventRecorderConfig(multiplier, 0))
                .hasMessage("agent.scalingEvents.cuMultiplier=" + multiplier + " must be above 0 and at most 1000.0");
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.25, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesThresholdsThatNothingReaches(double threshold) {
        assertThatThrownBy(() -> new ScalingEventRecorderConfig(1, threshold))
                .hasMessage("agent.scalingEvents.rereportThreshold=" + threshold + " must be 0 or more");
    }

    @Test
    void passesItsSettingsOnToTheRunners() {
        var runner = AgentConfig.DEFAULTS.runner();
        assertThat(runner.core()).isEqualTo(CoreConfig.DEFAULTS);
        assertThat(runner.scrapePeriod()).isEqualTo(Duration.ofSeconds(5));
        assertThat(runner.scalingEvents()).isEqualTo(new ScalingEventRecorderConfig(0.25, 0.25));
        assertThat(runner.restarts().cap()).isEqualTo(Duration.ofSeconds(60));
    }

    private static AgentConfig with(String key, Object value) throws ReflectiveOperationException {
        var components = AgentConfig.class.getRecordComponents();
        var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        var values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            boolean changed = components[i].getName().equals(key);
            values[i] = changed ? value : components[i].getAccessor().invoke(AgentConfig.DEFAULTS);
        }
        return AgentConfig.class.getDeclaredConstructor(types).newInstance(values);
    }
}
