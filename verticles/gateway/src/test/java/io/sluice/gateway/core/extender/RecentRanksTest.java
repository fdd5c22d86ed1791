package io.sluice.gateway.core.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentRanksTest {
    private static final Instant NOW = Instant.EPOCH;
    private static final NodeRank ONE = new NodeRank("n1", Obstacle.NONE, Resources.NONE, 74);
    private static final NodeRank FULL = new NodeRank("n2", Obstacle.NO_ROOM, new Resources(1, 0), 0);
    private static final NodeRank OTHER = new NodeRank("n3", Obstacle.NONE, Resources.NONE, 12);
    private static final List<String> FITTING = List.of("n1", "n3");

    private final RecentRanks recent = new RecentRanks();

    @Test
    void servesOnceForTheNodesThatFit() {
        recent.given("u", List.of(ONE, FULL, OTHER), NOW);

        assertThat(recent.take("another", FITTING, NOW)).isEmpty();
        assertThat(recent.take("u", FITTING, NOW.plusSeconds(1))).contains(List.of(ONE, OTHER));
        assertThat(recent.take("u", FITTING, NOW)).isEmpty();
    }

    @Test
    void servesNoOtherNodesAndNoneThatWereRankedLongAgo() {
        for (var nodes : List.of(List.of("n1"), List.of("n3", "n1"), List.of("n1", "n2", "n3"))) {
            recent.given("u", List.of(ONE, FULL, OTHER), NOW);
            assertThat(recent.take("u", nodes, NOW)).as("%s", nodes).isEmpty();
        }
        recent.given("u", List.of(ONE, FULL, OTHER), NOW);
        assertThat(recent.take("u", FITTING, NOW.plusMillis(1_001))).isEmpty();
    }

    @Test
    void remembersTheLastPodsAlone() {
        for (int pod = 0; pod < 100; pod++) {
            recent.given("u" + pod, List.of(ONE), NOW);
        }

        assertThat(recent.take("u0", List.of("n1"), NOW)).isEmpty();
        assertThat(recent.take("u99", List.of("n1"), NOW)).contains(List.of(ONE));
    }
}
