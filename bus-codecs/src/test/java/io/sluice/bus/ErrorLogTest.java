package io.sluice.bus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.spi.DefaultLoggingEventBuilder;
import org.slf4j.spi.LoggingEventBuilder;

class ErrorLogTest {
    private static final IllegalStateException THROWN = new IllegalStateException("out of paper");

    private final AtomicLong nanos = new AtomicLong(-5);
    private final Lines lines = new Lines();
    private final ErrorLog complaints = new ErrorLog(lines, nanos::get);

    @Test
    void logsWhatWentWrongAndWhere() {
        complaints.about("a.b", "It failed.", THROWN);

        assertThat(lines.reported).containsExactly("It failed. a.b java.lang.IllegalStateException: out of paper 1");
    }

    @Test
    void logsTheSameAddressOnceASecondWithHowManyWereLeftOut() {
        for (int i = 0; i < 3; i++) {
            complaints.about("a.b", "It failed.", THROWN);
        }
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        complaints.about("a.b", "It failed.", THROWN);

        assertThat(lines.reported).hasSize(2).last().asString().endsWith(" 3");
    }

    @Test
    void logsTheSameErrorEverMoreRarelyAndAnotherOneAtOnce() {
        for (int second = 0; second < 130; second++) {
            complaints.about("a.b", "It failed.", THROWN);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        }
        assertThat(lines.reported).as("after 0, 1, 3, 7, 15, 31, 63 and 123 s").hasSize(8);

        complaints.about("a.b", "It failed.", new IllegalStateException("no ink"));
        assertThat(lines.reported).hasSize(9).last().asString().contains("no ink");
    }

    @Test
    void oneAddressDoesNotSilenceAnother() {
        complaints.about("a.b", "It failed.", THROWN);
        complaints.about("a.c", "It failed.", THROWN);

        assertThat(lines.reported).hasSize(2);
    }

    /** Records each line's sentence and values. */
    private static final class Lines extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        private final transient List<String> reported = new ArrayList<>();

        @Override
        public LoggingEventBuilder makeLoggingEventBuilder(Level level) {
            return new DefaultLoggingEventBuilder(this, level) {
                @Override
                protected void log(LoggingEvent event) {
                    reported.add(line(event));
                }
            };
        }

        private static String line(LoggingEvent event) {
            var line = new StringBuilder(event.getMessage());
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                line.append(' ').append(pair.value);
            }
            return line.toString();
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
