package io.sluice.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

class AgentConfigTest {
    static Stream<Arguments> wrongs() {
        return Stream.of(
                Arguments.of("computeUnit", new Resources(0, 1), "agent.computeUnit="),
                Arguments.of("requestTick", Duration.ZERO, "agent.requestTick=PT0S must be between"),
                Arguments.of("requestTickJitter", Duration.ofSeconds(15), "agent.requestTickJitter=PT15S must be"),
                Arguments.of("permitValidFor", Duration.ofSeconds(2), "must exceed agent.deniedRetryWait=PT2S"),
                Arguments.of("scrapeTimeout", Duration.ofSeconds(20), "must exceed agent.scrapeTimeout=PT20S"),
                Arguments.of(
                        "requestDeadline", Duration.ofSeconds(12), "agent.requestDeadline=PT12S must exceed PT12S"),
                Arguments.of("scrapeMaxBytes", 1, "agent.scrapeMaxBytes=1 must be between"),
                Arguments.of("restartMax", Duration.ofSeconds(1), "agent.restartMax=PT1S"),
                Arguments.of("maxUpscaleStepCu", -1, "agent.maxUpscaleStepCu=-1"),
                Arguments.of("maxVms", 0, "agent.maxVms=0 must be between"));
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
    void tellsTheRunnersWhatItWasTold() {
        var runner = AgentConfig.DEFAULTS.runner();
        assertThat(runner.core()).isEqualTo(CoreConfig.DEFAULTS);
        assertThat(runner.scrapePeriod()).isEqualTo(Duration.ofSeconds(5));
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
