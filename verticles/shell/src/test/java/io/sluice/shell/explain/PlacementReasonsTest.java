package io.sluice.shell.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementReasonsTest {
    private static NodeRank shortOfCpu(String node, long milliCpu) {
        return new NodeRank(node, Obstacle.NO_ROOM, new Resources(milliCpu, 0), 0);
    }

    @Test
    void groupsNodesByReasonTheMostFrequentOneFirst() {
        var reasons = PlacementReasons.of(List.of(
                new NodeRank("d", Obstacle.NODE_NOT_READY, Resources.NONE, 0),
                shortOfCpu("a", 750),
                new NodeRank("fits", Obstacle.NONE, Resources.NONE, 80),
                shortOfCpu("b", 250)));

        assertThat(reasons.groups())
                .extracting(
                        PlacementReasons.Group::reason,
                        group -> group.nodes().stream().map(NodeRank::node).toList())
                .containsExactly(
                        tuple("short of CPU by 250m or more in the ledger", List.of("a", "b")),
                        tuple("not ready", List.of("d")));
        assertThat(reasons.summary()).isEqualTo("1/4 nodes: 2 short of CPU by 250m or more in the ledger, 1 not ready");
    }

    @Test
    void namesTheOtherKindsOfWhichThereIsTooLittle() {
        var reasons =
                PlacementReasons.of(List.of(shortOfGpus("a", 0, 3), shortOfGpus("b", 0, 2), shortOfGpus("c", 250, 2)));

        assertThat(reasons.summary())
                .isEqualTo("0/3 nodes: 2 short of nvidia.com/gpu by 2 or more in the ledger,"
                        + " 1 short of CPU by 250m and nvidia.com/gpu by 2 or more in the ledger");
    }

    private static NodeRank shortOfGpus(String node, long milliCpu, long gpus) {
        return new NodeRank(
                node,
                Obstacle.NO_ROOM,
                new Resources(milliCpu, 0),
                0,
                "",
                FixedAmounts.of(Map.of("nvidia.com/gpu", gpus)));
    }
}
