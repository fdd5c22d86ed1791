package io.sluice.agent.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever the network does to requests, patches and replies, the scheduler's reservation is never less than what
 * the VM may come to use; and once the network works again, reservation, size and desired size agree.
 *
 * <p>Method: short seeded histories in virtual time. A failure names its seed; {@code new LossyWorld(seed,
 * STRICT).live(...)} runs it again.
 */
class StrictPromiseTest {
    private static final int HISTORIES = 2_000;
    private static final Duration WITH_FAULTS = Duration.ofSeconds(45);

    @Test
    void theLedgerNeverReservesLessThanWhatTheVmMayComeToUse() {
        LongStream.range(0, HISTORIES).forEach(seed -> new LossyWorld(seed, PermitSafety.STRICT).live(WITH_FAULTS));
    }

    /** The same worlds break the guarantee where the core does not keep it: the test above can fail. */
    @Test
    void theReferenceBreaksThePromiseInTheSameWorlds() {
        long broken = LongStream.range(0, 50)
                .filter(seed -> breaks(() -> new LossyWorld(seed, PermitSafety.REFERENCE).live(WITH_FAULTS)))
                .count();
        assertThat(broken).isGreaterThan(10);
    }

    private static boolean breaks(Runnable history) {
        try {
            history.run();
            return false;
        } catch (AssertionError expected) {
            return expected.getMessage().contains("below");
        }
    }
}
