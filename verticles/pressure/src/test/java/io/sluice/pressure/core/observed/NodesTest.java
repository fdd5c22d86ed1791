package io.sluice.pressure.core.observed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which nodes take nothing new, and from where. */
class NodesTest {
    private static final String TAINT = "dedicated=db:NoSchedule";

    private final Nodes nodes = new Nodes(2);

    private boolean seen(String node, long version, String closed, String... taints) {
        return nodes.seen(new NodeObserved(node, version, Resources.NONE, closed, List.of(taints), true));
    }

    @Test
    void aNodeThatNothingIsKnownOfIsOpen() {
        assertThat(nodes.against("n1", "n2")).isEmpty();
    }

    @Test
    void aClosedNodeIsClosedToEverybodyUntilANewerFactOpensIt() {
        seen("n2", 2, "cordoned");
        assertThat(nodes.against("n1", "n2")).contains("cordoned");
        assertThat(nodes.closed()).containsOnlyKeys("n2");

        seen("n2", 1, "");
        assertThat(nodes.against("n1", "n2")).as("an older fact").isPresent();
        seen("n2", 3, "");
        assertThat(nodes.against("n1", "n2")).isEmpty();
    }

    @Test
    void aTaintKeepsAwayThoseWhoRunWhereItDoesNotStand() {
        seen("n1", 1, "");
        seen("n2", 1, "", TAINT);
        assertThat(nodes.against("n1", "n2")).contains("tainted " + TAINT + ", as n1 is not");
        assertThat(nodes.against("n2", "n1")).isEmpty();

        seen("n1", 2, "", TAINT);
        assertThat(nodes.against("n1", "n2"))
                .as("whoever runs on n1 tolerates it")
                .isEmpty();
        assertThat(nodes.closed()).isEmpty();
    }

    @Test
    void aNodeThatIsGoneOrMissedByListingsIsForgotten() {
        seen("n2", 2, "cordoned");
        nodes.gone(new NodeGone("n2", 1));
        assertThat(nodes.against("n1", "n2")).as("it came again since").isPresent();
        nodes.gone(new NodeGone("n2", 3));
        assertThat(nodes.against("n1", "n2")).isEqualTo(Optional.empty());

        seen("n2", 4, "cordoned");
        nodes.listed();
        nodes.listed();
        assertThat(nodes.against("n1", "n2")).isPresent();
        nodes.listed();
        assertThat(nodes.against("n1", "n2")).isEmpty();
    }

    @Test
    void noMoreAreKeptThanItsBound() {
        assertThat(seen("n1", 1, "")).isTrue();
        assertThat(seen("n2", 1, "")).isTrue();
        assertThat(seen("n3", 1, "")).isFalse();
        assertThat(seen("n2", 2, "cordoned")).isTrue();
    }
}
