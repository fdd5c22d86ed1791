package io.sluice.placement.core.gangs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GangAttemptTest {
    private final Map<GangKey, Integer> need = new HashMap<>();

    /** The hash codes of their kinds differ from process to process, and actions follow the order of the gangs. */
    @Test
    void itsGangsAreInTheOrderOfNames() {
        for (var kind : GangKey.Kind.values()) {
            for (char name = 'a'; name <= 'd'; name++) {
                need.put(new GangKey(kind, "ns", "" + name), 1);
            }
        }

        assertThat(new GangAttempt("attempt", need, true, false, false).gangs())
                .containsExactlyElementsOf(new TreeSet<>(need.keySet()));
    }
}
