package io.sluice.pressure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.pressure.core.choice.Policy;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.load.LoadPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PressureConfigTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static PressureConfig of(
            Policy policy, int perNode, int all, Duration cooldown, Duration start, Duration completion) {
        return new PressureConfig(false, policy, LoadPolicy.RESERVED, perNode, all, cooldown, start, completion);
    }

    @Test
    void theDefaultsHold() {
        assertThat(PressureConfig.DEFAULTS.rules())
                .isEqualTo(new PressureRules(
                        false, Policy.LOWEST_LOAD, 2, 10, Duration.ofMinutes(10), MINUTE, Duration.ofHours(1)));
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                refused(
                        () -> of(Policy.OLDEST, 11, 10, MINUTE, MINUTE, Duration.ofHours(1)),
                        "pressure.maxConcurrentPerNode=11 must be at most pressure.maxConcurrent=10"),
                refused(
                        () -> of(Policy.OLDEST, 0, 10, MINUTE, MINUTE, Duration.ofHours(1)),
                        "pressure.maxConcurrentPerNode=0 must be between 1 and 10000"),
                refused(
                        () -> of(Policy.OLDEST, 1, 0, MINUTE, MINUTE, Duration.ofHours(1)),
                        "pressure.maxConcurrent=0 must be between 1 and 10000"),
                refused(
                        () -> of(Policy.OLDEST, 1, 1, Duration.ofHours(25), MINUTE, Duration.ofHours(1)),
                        "pressure.cooldown=25h must be between 0s and 24h"),
                refused(
                        () -> of(Policy.OLDEST, 1, 1, MINUTE, Duration.ofMillis(999), Duration.ofHours(1)),
                        "pressure.startTimeout=999ms must be between 1s and 30m"),
                refused(
                        () -> of(Policy.OLDEST, 1, 1, MINUTE, MINUTE, Duration.ofHours(25)),
                        "pressure.completionTimeout=25h must be between 1s and 24h"),
                refused(
                        () -> of(Policy.OLDEST, 1, 1, MINUTE, MINUTE, MINUTE),
                        "pressure.completionTimeout=1m must exceed pressure.startTimeout=1m"));
    }

    private static Arguments refused(Supplier<PressureConfig> made, String sentence) {
        return Arguments.of(sentence, made);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void reportsWhichKeyIsWrongAndWhatItMayBe(String sentence, Supplier<PressureConfig> made) {
        assertThatThrownBy(made::get)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @Test
    void policiesAreNamedAsTheyAreWritten() {
        assertThat(Policy.values())
                .extracting(Policy::toString)
                .containsExactly("lowest-load", "oldest", "best-fit", "lowest-use");
    }

    @Test
    void isReadAsItIsWritten() {
        var written = JsonNodeFactory.instance
                .objectNode()
                .put("paused", true)
                .put("policy", "best-fit")
                .put("cooldown", "30s");

        var read = ConfigReader.read(
                PressureConfig.class, PressureConfig.DEFAULTS, new ConfigSources(written, Map.of(), Map.of()));

        assertThat(read.paused()).isTrue();
        assertThat(read.policy()).isEqualTo(Policy.BEST_FIT);
        assertThat(read.cooldown()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void noCooldownAtAllIsAllowed() {
        assertThat(of(Policy.BEST_FIT, 1, 1, Duration.ZERO, MINUTE, Duration.ofHours(1))
                        .rules()
                        .cooldown())
                .isEqualTo(Duration.ZERO);
    }
}
