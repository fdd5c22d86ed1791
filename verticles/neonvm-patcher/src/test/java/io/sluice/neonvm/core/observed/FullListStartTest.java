package io.sluice.neonvm.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.units.Resources;
import java.util.List;
import org.junit.jupiter.api.Test;

class FullListStartTest {
    private final FullListStart start = new FullListStart(1);

    @Test
    void aListNamesWhatWasRepliedOfItsNodeBeforeItsPodsWereRequested() {
        start.replied("n1", new LoadReply(0, 0).relist(50));
        start.replied("n2", new LoadReply(0, 0));

        assertThat(start.named(load("n1")).relist()).contains(50L);
        assertThat(start.named(load("n2")).relist()).as("it names nothing").isEmpty();
        assertThat(start.named(load("n3")).relist()).as("it did not reply").isEmpty();
    }

    private static LoadNode load(String node) {
        return new LoadNode(new NodeObserved(node, 1, new Resources(1, 1)), 7, List.of(), List.of());
    }
}
