package io.sluice.monitor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CloseReasonTest {
    @Test
    void keepsAReasonThatFits() {
        assertThat(new CloseReason(CloseReason.NORMAL, "x".repeat(123)).reason())
                .hasSize(123);
    }

    @Test
    void cutsBetweenCharactersAndNeverInsideOne() {
        var reason = new CloseReason(CloseReason.NORMAL, "a" + "\u20ac".repeat(60) + "\ud83d\ude00").reason();
        assertThat(reason).isEqualTo("a" + "\u20ac".repeat(40));
        assertThat(reason.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(123);
    }
}
