package io.sluice.simulation.workers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WorkerHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("sluice.simulation.workers.histories", 40);

    @Test
    void noInstanceRunsTwiceAndTheLedgerHasEachOfThem() {
        assertThat(LongStream.rangeClosed(1, HISTORIES).mapToObj(WorkerHistory::play))
                .allMatch(String::isEmpty);
    }
}
