package io.sluice.lab.load.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadAverageTest {
    @Test
    void movesByOneLessOneOverEInOneDamping() {
        var load = new LoadAverage(Duration.ofMinutes(1), 0).after(1, Duration.ofMinutes(1));
        assertThat(load.value()).isEqualTo(1 - Math.exp(-1), within(1e-12));
    }

    @Test
    void isTheSameHoweverTheTimeIsCut() {
        var whole = new LoadAverage(Duration.ofMinutes(5), 3).after(0.5, Duration.ofSeconds(300));
        var cut = new LoadAverage(Duration.ofMinutes(5), 3);
        for (int i = 0; i < 300; i++) {
            cut = cut.after(0.5, Duration.ofSeconds(1));
        }
        assertThat(cut.value()).isEqualTo(whole.value(), within(1e-9));
    }
}
