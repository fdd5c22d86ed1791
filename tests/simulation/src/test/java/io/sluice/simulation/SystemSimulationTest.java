package io.sluice.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.PermitSafety;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The promise of the whole: for each VM, what it uses, what patches under way may make it use, and what a runner may
 * still start on its permit, is never above what the ledger books for it. Checked after every event of many histories
 * with losses, repeats, delays, crashed agents, two agents for one VM, lost books, and VMs that move between two nodes.
 *
 * <p>A failure names its seed; {@code -Dsluice.simulation.seed=N} plays that history alone.
 */
class SystemSimulationTest {
    private static final int HISTORIES = Integer.getInteger("sluice.simulation.histories", 2_000);
    private static final long FIRST_SEED = 20_261_121;
    private static final int CAUGHT_WITHIN = 20;
    private static final CoreConfig STRICT = CoreConfig.DEFAULTS;
    private static final Instant END = Instant.EPOCH.plusSeconds(120);

    @Test
    void booksAreNeverBelowWhatAVmMayComeToUse() {
        var only = Long.getLong("sluice.simulation.seed");
        if (only != null) {
            play(only);
            return;
        }
        int patches = 0;
        int moved = 0;
        for (int i = 0; i < HISTORIES; i++) {
            var world = play(FIRST_SEED + i);
            patches += world.patches();
            moved += world.moved();
        }
        assertThat(patches).as("the histories did something").isGreaterThan(HISTORIES * 10);
        assertThat(moved).as("VMs moved").isGreaterThan(HISTORIES);
    }

    /** The proof that the check can fail: agents that keep to the reference's rules break the promise soon. */
    @Test
    void agentsThatAreNotStrictAreCaught() {
        var loose = new CoreConfig(
                STRICT.computeUnit(),
                STRICT.scaling(),
                STRICT.requestTick(),
                STRICT.schedulerRetryWait(),
                STRICT.deniedRetryWait(),
                STRICT.neonVmRetryWait(),
                STRICT.monitorRetryWait(),
                STRICT.deniedDownscaleCooldown(),
                STRICT.requestedUpscaleValid(),
                PermitSafety.REFERENCE,
                STRICT.permitValidFor(),
                STRICT.confirmBy(),
                STRICT.confirmTimeout(),
                STRICT.maxUpscaleStepCu());
        assertThatThrownBy(() -> {
                    for (int i = 0; i < CAUGHT_WITHIN; i++) {
                        play(FIRST_SEED + i, loose);
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the books hold");
    }

    private static World play(long seed) {
        return play(seed, STRICT);
    }

    private static World play(long seed, CoreConfig core) {
        var random = new Random(seed);
        var world = new World(new Faults(random, random.nextInt(15), random.nextInt(15), random.nextInt(40)), core);
        try {
            while (world.step(END)) {
                world.checkPromises();
            }
        } catch (AssertionError | RuntimeException broken) {
            return fail("seed " + seed + ": " + broken.getMessage(), broken);
        }
        return world;
    }
}
