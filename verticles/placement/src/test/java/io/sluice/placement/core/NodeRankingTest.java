package io.sluice.placement.core;

import static io.sluice.placement.core.Given.cpus;
import static io.sluice.placement.core.Given.keeping;
import static io.sluice.placement.core.Given.node;
import static io.sluice.placement.core.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.placement.core.plugins.LiveLoad;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.plugins.ReadyLedger;
import io.sluice.placement.core.plugins.ReservedRoom;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.plugins.RoomOfOthers;
import io.sluice.shell.load.LoadScore;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeRankingTest {
    private final NodeTable nodes = new NodeTable();
    private final NodeRanking ranking = new NodeRanking(
            List.of(new ReadyLedger(), new ReservedRoom(), new RoomOfOthers(), new ReservedShare(0.5, 0.8, 0)));

    private List<NodeRank> rank(PodToPlace pod, String... names) {
        return ranking.rank(pod, List.of(names), nodes, Optional.empty());
    }

    @Test
    void excludesNodesWithoutRoomAndNamesTheShortfall() {
        nodes.observed(node("roomy", 10, 7));
        nodes.observed(node("full", 10, 8));

        assertThat(rank(pod("p", 3), "full", "roomy", "unknown"))
                .extracting(NodeRank::node, NodeRank::obstacle, NodeRank::shortBy)
                .containsExactly(
                        tuple("full", Obstacle.NO_ROOM, cpus(1)),
                        tuple("roomy", Obstacle.NONE, Resources.NONE),
                        tuple("unknown", Obstacle.LEDGER_NOT_READY, Resources.NONE));
    }

    @Test
    void excludesNodesThatLackAnotherKindWhichThePodRequests() {
        var one = FixedAmounts.of(Map.of("nvidia.com/gpu", 1L));
        var full = new NodeSnapshot(
                "n", true, NodeReadiness.READY, cpus(10), cpus(10), Resources.NONE, NodeUse.NONE, List.of(), one, one);
        var plain = pod("p", 1);
        var withGpu =
                new PodToPlace(new PodObserved("p", "ns", "p", "", "", 1, cpus(1), 0, "", one), plain.overcommit());

        assertThat(ranking.rank(withGpu, List.of(full), cpus(10)))
                .extracting(NodeRank::obstacle, NodeRank::shortOf)
                .containsExactly(tuple(Obstacle.NO_ROOM, one));
        assertThat(ranking.rank(plain, List.of(full), cpus(10)))
                .extracting(NodeRank::fits)
                .containsExactly(true);
    }

    @Test
    void excludesRoomThatIsKeptForAnotherPod() {
        var room = new KeptRoom("n", "large", "ns/large", cpus(5), 0);
        nodes.observed(keeping(node("n", 10, 4), room));

        assertThat(rank(pod("p", 2), "n"))
                .extracting(NodeRank::obstacle, NodeRank::keptFor)
                .containsExactly(tuple(Obstacle.KEPT, "ns/large"));
        assertThat(rank(pod("p", 1), "n"))
                .as("beside it")
                .extracting(NodeRank::fits)
                .containsExactly(true);
        assertThat(rank(pod("large", 5), "n"))
                .as("its pod")
                .extracting(NodeRank::fits)
                .containsExactly(true);

        nodes.observed(keeping(node("n", 10, 5), room));
        assertThat(rank(pod("p", 1), "n"))
                .as("after new sums")
                .extracting(NodeRank::fits)
                .containsExactly(false);
        assertThat(rank(pod("p", 0), "n"))
                .as("it takes nothing")
                .extracting(NodeRank::fits)
                .containsExactly(true);
        nodes.observed(keeping(node("n", 10, 5), new KeptRoom("n", "large", "ns/large", cpus(5), -1)));
        assertThat(rank(pod("p", 2), "n"))
                .as("kept from pods of lower priority alone")
                .extracting(NodeRank::fits)
                .containsExactly(true);
        nodes.observed(node("n", 10, 5));
        assertThat(rank(pod("p", 2), "n"))
                .as("kept no longer")
                .extracting(NodeRank::fits)
                .containsExactly(true);
    }

    @Test
    void listsANodeOnWhichAPodWithoutRequestsHasAHold() {
        var place = FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L));
        var sums = node("n", 10, 0);
        nodes.observed(new NodeLedgerView(
                "n",
                true,
                sums.total(),
                sums.watermark(),
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                false,
                0,
                List.of(),
                NodeReadiness.READY,
                0,
                place,
                place,
                place));

        assertThat(nodes.withHolds()).containsExactly("n");
    }

    @Test
    void excludesNodesThatAreNotReady() {
        nodes.observed(node("unready", 10, 0).with(NodeReadiness.NOT_READY));

        assertThat(rank(pod("p", 1), "unready"))
                .extracting(NodeRank::obstacle)
                .containsExactly(Obstacle.NODE_NOT_READY);
    }

    @Test
    void countsWhatWasHeldSinceTheLastSumsUntilTheNextOnes() {
        nodes.observed(node("n", 10, 6));
        nodes.held("n", pod("other", 3), List.of());

        assertThat(rank(pod("p", 3), "n")).extracting(NodeRank::fits).containsExactly(false);

        nodes.observed(node("n", 10, 6));
        assertThat(rank(pod("p", 3), "n")).extracting(NodeRank::fits).containsExactly(true);
    }

    @Test
    void countsAVmsPodAfterOvercommit() {
        nodes.observed(node("n", 10, 9));

        var twice = new PodToPlace(Given.pending("p", 2), new Overcommit(2_000, 2_000));
        assertThat(rank(twice, "n")).extracting(NodeRank::fits).containsExactly(true);
        assertThat(rank(pod("p", 2), "n")).extracting(NodeRank::fits).containsExactly(false);
    }

    /** Formula of the reference's plugin: 0.5 at empty, 1 at 0.8, 0 at full; times the node's size. */
    @Test
    void scoresByTheReservedShareAfterPlacing() {
        nodes.observed(node("empty", 10, 0));
        nodes.observed(node("half", 10, 3));
        nodes.observed(node("peak", 10, 7));
        nodes.observed(node("full", 10, 9));
        nodes.observed(node("small", 5, 3));

        assertThat(rank(pod("p", 1), "empty", "half", "peak", "full", "small"))
                .extracting(NodeRank::score)
                .containsExactly(56, 75, 100, 0, 50);
    }

    /** Of 10 CPUs 8 are reserved on both; the use of VMs that have 6 of them is known on one. */
    @Test
    void scoresByWhatIsInUseWhereThatIsKnownAndByWhatIsReservedElsewhere() {
        nodes.observed(node("busy", 10, 8));
        nodes.observed(node("idle", 10, 8));
        nodes.use(Map.of("idle", new NodeUse(cpus(6), cpus(2))));
        nodes.observed(node("idle", 10, 8));

        assertThat(live(new LoadScore.Spread())).containsExactly(10, 50);
        assertThat(live(new LoadScore.Pack(0.7))).containsExactly(23, 91);
        nodes.use(Map.of());
        assertThat(live(new LoadScore.Spread())).as("the use is unknown again").containsExactly(10, 10);
    }

    @Test
    void halvesTheScoreWhereVmsWouldHaveToLeave() {
        var full = node("n", 10, 5);
        nodes.observed(new NodeLedgerView(
                "n",
                true,
                full.total(),
                cpus(6),
                full.reserved(),
                full.committed(),
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                false,
                0,
                List.of()));
        var spread = new NodeRanking(List.of(new LiveLoad(new LoadScore.Spread())));

        assertThat(spread.rank(pod("p", 1), List.of("n"), nodes, Optional.empty()))
                .extracting(NodeRank::score)
                .containsExactly(40);
        assertThat(spread.rank(pod("p", 2), List.of("n"), nodes, Optional.empty()))
                .extracting(NodeRank::score)
                .containsExactly(15);
    }

    private List<Integer> live(LoadScore score) {
        return new NodeRanking(List.of(new LiveLoad(score)))
                .rank(pod("p", 1), List.of("busy", "idle"), nodes, Optional.empty()).stream()
                        .map(NodeRank::score)
                        .toList();
    }

    @Test
    void allowsOnlyTheNodeOnWhichRoomIsHeldWhateverItsSums() {
        nodes.observed(node("holds", 10, 10));
        nodes.observed(node("roomy", 10, 0));

        assertThat(ranking.rank(pod("p", 3), List.of("roomy", "holds"), nodes, Optional.of("holds")))
                .extracting(NodeRank::obstacle)
                .containsExactly(Obstacle.HELD_ELSEWHERE, Obstacle.NONE);
    }

    @Test
    void forgetsNodesThatAreGone() {
        nodes.observed(node("gone", 100, 0));
        nodes.observed(node("stays", 10, 7));
        nodes.onlyThese(Set.of("stays"));

        assertThat(rank(pod("p", 1), "gone", "stays"))
                .extracting(NodeRank::score)
                .as("the largest total is that of the nodes that are left")
                .containsExactly(0, 100);
    }
}
