package io.sluice.pressure.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which nodes are closed, and to VMs of which nodes. */
class NodesTest {
    private static final String TAINT = "dedicated=db:NoSchedule";

    private final Nodes nodes = new Nodes(2);

    private boolean observed(String node, long version, String closed, String... taints) {
        return nodes.observed(new NodeObserved(node, version, Resources.NONE, closed, List.of(taints), true));
    }

    @Test
    void aNodeThatNothingIsKnownOfIsOpen() {
        assertThat(nodes.against("n1", "n2")).isEmpty();
    }

    @Test
    void aClosedNodeIsClosedToAllUntilANewerObservationOpensIt() {
        observed("n2", 2, "cordoned");
        assertThat(nodes.against("n1", "n2")).contains("cordoned");
        assertThat(nodes.closed()).containsOnlyKeys("n2");

        observed("n2", 1, "");
        assertThat(nodes.against("n1", "n2")).as("an older observation").isPresent();
        observed("n2", 3, "");
        assertThat(nodes.against("n1", "n2")).isEmpty();
    }

    @Test
    void aTaintKeepsAwayVmsThatRunWhereItIsNotSet() {
        observed("n1", 1, "");
        observed("n2", 1, "", TAINT);
        assertThat(nodes.against("n1", "n2")).contains("tainted " + TAINT + ", as n1 is not");
        assertThat(nodes.against("n2", "n1")).isEmpty();

        observed("n1", 2, "", TAINT);
        assertThat(nodes.against("n1", "n2")).as("every VM on n1 tolerates it").isEmpty();
        assertThat(nodes.closed()).isEmpty();
    }

    @Test
    void aNodeThatIsGoneOrMissedByFullListsIsForgotten() {
        observed("n2", 2, "cordoned");
        nodes.gone(new NodeGone("n2", 1));
        assertThat(nodes.against("n1", "n2")).as("it was observed again since").isPresent();
        nodes.gone(new NodeGone("n2", 3));
        assertThat(nodes.against("n1", "n2")).isEqualTo(Optional.empty());

        observed("n2", 4, "cordoned");
        nodes.listed();
        nodes.listed();
        assertThat(nodes.against("n1", "n2")).isPresent();
        nodes.listed();
        assertThat(nodes.against("n1", "n2")).isEmpty();
    }

    @Test
    void noMoreAreKeptThanItsBound() {
        assertThat(observed("n1", 1, "")).isTrue();
        assertThat(observed("n2", 1, "")).isTrue();
        assertThat(observed("n3", 1, "")).isFalse();
        assertThat(observed("n2", 2, "cordoned")).isTrue();
    }
}
