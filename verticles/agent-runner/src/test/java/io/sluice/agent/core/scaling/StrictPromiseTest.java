package io.sluice.agent.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever the network does to requests, patches and replies, the scheduler's reservation is never less than what
 * the VM may come to use, and the guest has never accepted more than the VM is sure to keep; and once the network works
 * again, reservation, size, desired size and what the guest has accepted agree.
 *
 * <p>Method: short seeded histories in virtual time. A failure names its seed; {@code new LossyWorld(seed,
 * STRICT).live(...)} runs it again.
 */
class StrictPromiseTest {
    private static final int HISTORIES = 2_000;
    private static final Duration WITH_FAULTS = Duration.ofSeconds(45);

    @Test
    void neitherLedgerNorGuestIsPromisedWhatTheVmMayNotKeep() {
        LongStream.range(0, HISTORIES).forEach(seed -> new LossyWorld(seed, PermitSafety.STRICT).live(WITH_FAULTS));
    }

    /** The same worlds break both guarantees where the core does not keep them: the test above can fail. */
    @Test
    void theReferenceBreaksThePromisesInTheSameWorlds() {
        var broken = LongStream.range(0, 200)
                .mapToObj(seed -> failure(() -> new LossyWorld(seed, PermitSafety.REFERENCE).live(WITH_FAULTS)))
                .toList();
        assertThat(broken.stream().filter(failure -> failure.contains("reserved")))
                .hasSizeGreaterThan(10);
        assertThat(broken.stream().filter(failure -> failure.contains("below what its guest accepted")))
                .hasSizeGreaterThan(10);
    }

    private static String failure(Runnable history) {
        try {
            history.run();
            return "";
        } catch (AssertionError expected) {
            return expected.getMessage().replaceAll("(?s)\\(core .*", "");
        }
    }
}
