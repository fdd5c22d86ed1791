package io.sluice.agent;

import static io.sluice.agent.Surroundings.cu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.spi.DefaultLoggingEventBuilder;
import org.slf4j.spi.LoggingEventBuilder;

class DecisionLogTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Lines lines = new Lines();
    private final DecisionLog log = new DecisionLog(lines);

    @Test
    void writesADecisionAsOneLineWithItsNumbers() {
        log.write(decision(Decision.Kind.SCALED_UP, 4, 6), START);
        assertThat(lines.reported)
                .containsExactly("INFO A VM was scaled up. vm=default/a node=n1 kind=SCALED_UP from=1/4Gi to=1500m/6Gi "
                        + "reason=because");
    }

    @Test
    void writesEachTurnOfASizeAtOnce() {
        log.write(decision(Decision.Kind.SCALED_DOWN, 4, 3), START);
        log.write(decision(Decision.Kind.SCALED_UP, 3, 4), START);
        log.write(decision(Decision.Kind.SCALED_DOWN, 4, 3), START);
        assertThat(lines.reported).hasSize(3);
    }

    @Test
    void writesADescentAsItsFirstStepAndAllOfIt() {
        for (int step = 0; step < 4; step++) {
            log.write(decision(Decision.Kind.SCALED_DOWN, 8 - step, 7 - step), START.plusSeconds(5L * step));
        }
        assertThat(lines.reported).hasSize(1);
        log.write(decision(Decision.Kind.SCALED_UP, 4, 5), START.plusSeconds(20));
        assertThat(lines.reported.get(1))
                .isEqualTo("INFO A VM was scaled down. vm=default/a node=n1 kind=SCALED_DOWN from=2/8Gi to=1/4Gi "
                        + "count=4 since=2026-01-01T00:00:00Z reason=because");
        assertThat(lines.reported).hasSize(3);
    }

    @Test
    void writesTheSameShortageOnceAMinuteWithItsCount() {
        for (int second = 0; second < 60; second += 2) {
            log.write(decision(Decision.Kind.DENIED, 4, 6), START.plusSeconds(second));
            log.tick(START.plusSeconds(second));
        }
        assertThat(lines.reported).hasSize(1);
        log.tick(START.plusSeconds(60));
        assertThat(lines.reported).hasSize(2).last().asString().contains("count=30 since=2026-01-01T00:00:00Z");
        log.tick(START.plusSeconds(61));
        log.write(decision(Decision.Kind.DOWNSCALE_DENIED, 4, 3), START.plusSeconds(61));
        assertThat(lines.reported).hasSize(3);
    }

    @Test
    void writesAnotherComplaintAtOnce() {
        log.write(decision(Decision.Kind.CONFIG_REFUSED, 4, 4), START);
        log.write(decision(Decision.Kind.CONFIG_REFUSED, 4, 4), START.plusSeconds(30));
        assertThat(lines.reported).hasSize(1);
        log.write(decision(Decision.Kind.CONFIG_REFUSED, 4, 4, "another"), START.plusSeconds(31));
        assertThat(lines.reported).hasSize(3);
    }

    @Test
    void writesWhatWaitsWhenItCloses() {
        log.write(decision(Decision.Kind.DENIED, 4, 6), START);
        log.write(decision(Decision.Kind.DENIED, 4, 6), START.plusSeconds(1));
        log.close();
        log.close();
        assertThat(lines.reported).hasSize(2);
    }

    private static Decision decision(Decision.Kind kind, int from, int to) {
        return decision(kind, from, to, "because");
    }

    private static Decision decision(Decision.Kind kind, int from, int to, String reason) {
        return new Decision(
                kind,
                new VmId("neonvm", "default", "a", "uid-a"),
                "n1",
                cu(from),
                cu(to),
                Optional.empty(),
                GoalBasis.NONE,
                reason,
                1);
    }

    /** Stores each line's level, sentence and values. */
    private static final class Lines extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        private final transient List<String> reported = new ArrayList<>();

        @Override
        public LoggingEventBuilder makeLoggingEventBuilder(Level level) {
            return new DefaultLoggingEventBuilder(this, level) {
                @Override
                protected void log(LoggingEvent event) {
                    var line = new StringBuilder(event.getLevel() + " " + event.getMessage());
                    event.getKeyValuePairs()
                            .forEach(pair -> line.append(' ')
                                    .append(pair.key)
                                    .append('=')
                                    .append(pair.value));
                    reported.add(line.toString());
                }
            };
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level, Marker marker, String sentence, Object[] arguments, Throwable thrown) {
            reported.add(sentence);
        }
    }
}
