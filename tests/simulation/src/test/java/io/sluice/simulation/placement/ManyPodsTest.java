package io.sluice.simulation.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** 1 000 pods at once are placed by three processes beside each other; each step checks that no node takes too much. */
class ManyPodsTest {
    private static final int PODS = 1_000;
    private static final int SECONDS = 240;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void allArePlacedWhereAllHaveRoom(long seed) {
        var played = new ManyPods(seed, 100, PODS);

        played.play(SECONDS);

        assertThat(played.waiting()).isEmpty();
        assertThat(played.left()).hasSize(100);
        assertThat(played.refused()).as("holds that the ledger refused").isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 4})
    void noneThatStillFitsWaitsWhereFewHaveRoom(long seed) {
        var played = new ManyPods(seed, 50, PODS);

        played.play(SECONDS);

        var waiting = played.waiting();
        assertThat(waiting).isNotEmpty();
        assertThat(played.left()).allSatisfy(left -> assertThat(waiting).allMatch(amounts -> amounts.exceeds(left)));
    }
}
