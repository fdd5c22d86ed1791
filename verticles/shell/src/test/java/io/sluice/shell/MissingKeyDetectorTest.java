package io.sluice.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MissingKeyDetectorTest {
    private final MissingKeyDetector<String> roll = new MissingKeyDetector<>();

    @Test
    void whatTwoListingsDidNotNameIsGone() {
        roll.named("a");
        roll.named("b");
        assertThat(roll.listed()).as("this one named them").isEmpty();
        roll.named("b");
        assertThat(roll.listed()).isEmpty();
        roll.named("b");
        assertThat(roll.listed()).containsExactly("a");
        assertThat(roll.listed()).as("told once").isEmpty();
    }

    @Test
    void whatIsNamedAgainInTimeStays() {
        roll.named("a");
        roll.listed();
        roll.listed();
        roll.named("a");
        assertThat(roll.listed()).isEmpty();
    }

    @Test
    void whatWasStruckIsNotMissed() {
        roll.named("a");
        roll.struck("a");
        roll.listed();
        roll.listed();
        assertThat(roll.listed()).isEmpty();
    }
}
