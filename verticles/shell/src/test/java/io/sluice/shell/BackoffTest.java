package io.sluice.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60));

    @ParameterizedTest
    @CsvSource({"1, 500, 1000", "2, 1000, 2000", "4, 4000, 8000", "7, 30000, 60000", "1000000, 30000, 60000"})
    void doublesUpToItsBoundAndTakesARandomPart(int failures, long leastMs, long mostMs) {
        var random = new Random(20261121);
        for (int i = 0; i < 1000; i++) {
            assertThat(backoff.after(failures, random))
                    .isBetween(Duration.ofMillis(leastMs), Duration.ofMillis(mostMs));
        }
    }
}
