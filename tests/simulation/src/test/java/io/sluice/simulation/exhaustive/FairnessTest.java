package io.sluice.simulation.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulation.exhaustive.Tenant.Conduct;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One hostile VM of 100 on a full node takes no more from the others than its maximum allows: their permits, reactions
 * and migrations are the same as beside an honest VM at its maximum.
 */
class FairnessTest {
    @ParameterizedTest
    @CsvSource({
        "STRICT, ENDLESS_LOAD",
        "STRICT, UPSCALE_REQUESTS",
        "STRICT, DENIED_DOWNSCALES",
        "REFERENCE, ENDLESS_LOAD",
        "REFERENCE, UPSCALE_REQUESTS",
        "REFERENCE, DENIED_DOWNSCALES",
        "REFERENCE, FLOOD",
        "REFERENCE, ABSURD_REQUESTS"
    })
    void theOthersAreServedAsBesideAnHonestVm(VmState.Agent agent, Conduct hostile) {
        var control = FullNode.play(Conduct.AT_MAXIMUM, agent);

        var played = FullNode.play(hostile, agent);

        assertSame(played.permits(), control.permits());
        assertSame(played.reactions(), control.reactions());
        assertSame(played.migrations(), control.migrations());
        assertSame(played.refused(), control.refused());
        for (int turn : played.requests()) {
            assertThat(Collections.frequency(played.requests(), turn))
                    .as("requests of turn %d", turn)
                    .isLessThanOrEqualTo(FullNode.PER_SECOND);
        }
        assertThat(control.permits())
                .filteredOn(it -> it.endsWith("CUT_TO_ROOM"))
                .hasSizeGreaterThan(100);
        assertThat(control.permits()).filteredOn(it -> it.endsWith("GRANTED")).hasSizeGreaterThan(100);
        assertThat(control.reactions()).hasSizeGreaterThan(100);
        assertThat(control.migrations()).isNotEmpty();
        assertThat(control.refused()).isEmpty();
    }

    /** Fails with the first difference only. */
    private static void assertSame(List<String> played, List<String> control) {
        int at = Arrays.mismatch(played.toArray(), control.toArray());
        if (at >= 0) {
            assertThat(played.stream().skip(at).findFirst())
                    .isEqualTo(control.stream().skip(at).findFirst());
        }
    }
}
