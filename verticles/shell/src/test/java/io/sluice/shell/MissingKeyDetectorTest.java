package io.sluice.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MissingKeyDetectorTest {
    private final MissingKeyDetector<String> roll = new MissingKeyDetector<>();

    @Test
    void whatTwoFullListsDidNotNameIsGone() {
        roll.named("a");
        roll.named("b");
        assertThat(roll.listed()).as("this list has them").isEmpty();
        roll.named("b");
        assertThat(roll.listed()).isEmpty();
        roll.named("b");
        assertThat(roll.listed()).containsExactly("a");
        assertThat(roll.listed()).as("returned once").isEmpty();
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
