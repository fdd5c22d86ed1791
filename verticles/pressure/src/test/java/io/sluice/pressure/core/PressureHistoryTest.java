package io.sluice.pressure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.pressure.core.migrations.MigrationView;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In any history of lost, repeated and late messages, failures and restarts, the rules hold and everything ends. */
class PressureHistoryTest {
    private static final int STEPS = 4_000;
    private static final int QUIET_STEPS = 2_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 240, 20261121})
    void keepsItsPromisesAndComesToRest(long seed) {
        var world = new SmallWorld(seed);
        for (int i = 0; i < STEPS; i++) {
            world.step();
            assertThat(world.breaches).as("seed %d step %d", seed, i).isEmpty();
        }
        assertThat(world.ends.getOrDefault(MigrationPhase.SUCCEEDED, 0))
                .as("seed %d", seed)
                .isPositive();
        assertThat(world.ends.getOrDefault(MigrationPhase.FAILED, 0))
                .as("seed %d", seed)
                .isPositive();

        world.calmDown();
        for (int i = 0; i < QUIET_STEPS; i++) {
            world.step();
        }

        assertThat(world.breaches).as("seed %d", seed).isEmpty();
        assertThat(world.objects.values()).as("seed %d", seed).noneMatch(object -> object.ours || object.live());
        assertThat(world.pressure.view(world.now).migrations())
                .as("seed %d", seed)
                .extracting(MigrationView::migration)
                .isEmpty();
        assertThat(world.ledger.atRest())
                .as("seed %d: marks and holds are gone", seed)
                .isTrue();
    }
}
