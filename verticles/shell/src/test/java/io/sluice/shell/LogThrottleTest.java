package io.sluice.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogThrottleTest {
    private Instant now = Instant.parse("2025-03-04T05:06:07Z");
    private final LogThrottle pacer = new LogThrottle(() -> now, Duration.ofMinutes(1));
    private final List<String> reported = new ArrayList<>();

    private void happen(long count) {
        pacer.happened(count, all -> reported.add("failed " + all));
    }

    @Test
    void speaksAtOnceThenOnceAMinuteAndWhenItIsOver() {
        happen(1);
        happen(2);
        now = now.plusSeconds(59);
        happen(3);
        now = now.plusSeconds(1);
        happen(4);
        pacer.over(() -> reported.add("over"));
        pacer.over(() -> reported.add("over"));
        happen(5);
        assertThat(reported).containsExactly("failed 1", "failed 9", "over", "failed 5");
    }
}
