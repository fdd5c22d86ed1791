package io.sluice.monitor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedialBackoffTest {
    private final RedialBackoff backoff = new RedialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(60));

    @ParameterizedTest
    @CsvSource({
        "0, 0, 250",
        "1, 500, 1000",
        "2, 1000, 2000",
        "4, 4000, 8000",
        "7, 30000, 60000",
        "1000000, 30000, 60000"
    })
    void doublesUpToItsBoundAndTakesARandomPart(int failures, long leastMs, long mostMs) {
        var random = new Random(20261121);
        for (int i = 0; i < 1000; i++) {
            assertThat(backoff.waitAfter(failures, random))
                    .isBetween(Duration.ofMillis(leastMs), Duration.ofMillis(mostMs));
        }
    }
}
