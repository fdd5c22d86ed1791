package io.sluice.ledger.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TombstonesTest {
    /** Each process that applies the same commands has to forget the same attempt. */
    @Test
    void ofAttemptsThatEndedTogetherTheFirstByNameIsForgotten() {
        var names = new TreeSet<String>();
        var ended = Tombstones.NONE;
        for (int i = 0; i <= Tombstones.ATTEMPTS_MAX; i++) {
            names.add("attempt-" + i);
            ended = ended.ending("attempt-" + i, Instant.EPOCH);
        }

        names.removeAll(ended.attempts().keySet());
        assertThat(names).containsExactly("attempt-0");
    }
}
