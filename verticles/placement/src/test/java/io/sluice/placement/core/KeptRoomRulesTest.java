package io.sluice.placement.core;

import static io.sluice.placement.core.Given.cpus;
import static io.sluice.placement.core.Given.node;
import static io.sluice.placement.core.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.placement.KeptRooms;
import io.sluice.messages.placement.KeptRooms.KeptRoom;
import io.sluice.placement.core.PendingPods.WithoutNode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptRoomRulesTest {
    private static final Instant START = Instant.EPOCH;
    private static final Instant LONG = START.plus(KeptRoomRules.WAITS_LONG);
    private static final KeptRoom ROOM = new KeptRoom("n2", "large", "ns/large-name", cpus(6), 0);

    private final KeptRoomRules keptRooms = new KeptRoomRules();
    private final NodeTable nodes = new NodeTable();
    private final List<WithoutNode> waiting = List.of(new WithoutNode(pod("large", 6), START, List.of()));

    KeptRoomRulesTest() {
        nodes.observed(node("n1", 8, 8));
        nodes.observed(node("n2", 8, 5));
        nodes.observed(node("n3", 4, 0));
    }

    @Test
    void keepsRoomOnTheNodeThatLacksLeastForAPodThatWaitsLong() {
        assertThat(keptRooms.keep(waiting, nodes, LONG.minusMillis(1))).isEmpty();
        assertThat(keptRooms.keep(waiting, nodes, LONG)).containsExactly(ROOM);
    }

    @Test
    void keepsItForAMinuteAndNotAgainForAWhile() {
        keptRooms.keep(waiting, nodes, LONG);

        assertThat(keptRooms.keep(
                        waiting, nodes, LONG.plus(KeptRoomRules.KEPT_FOR).minusMillis(1)))
                .containsExactly(ROOM);
        assertThat(keptRooms.keep(waiting, nodes, LONG.plus(KeptRoomRules.KEPT_FOR)))
                .isEmpty();
        assertThat(keptRooms.keep(
                        waiting, nodes, LONG.plus(KeptRoomRules.AGAIN_AFTER).minusMillis(1)))
                .isEmpty();
        assertThat(keptRooms.keep(waiting, nodes, LONG.plus(KeptRoomRules.AGAIN_AFTER)))
                .containsExactly(ROOM);
    }

    @Test
    void keepsItNoLongerThanItsPodWaits() {
        keptRooms.keep(waiting, nodes, LONG);

        assertThat(keptRooms.keep(List.of(), nodes, LONG.plusSeconds(1))).isEmpty();
    }

    @Test
    void keepsOneRoomOnANode() {
        var two = List.of(
                new WithoutNode(pod("large", 6), START, List.of("n2")),
                new WithoutNode(pod("next", 6), START.plusSeconds(1), List.of("n2")));

        assertThat(keptRooms.keep(two, nodes, LONG.plusSeconds(1))).containsExactly(ROOM);
    }

    @Test
    void keepsNoRoomWhereThePodNeverFits() {
        var huge = List.of(
                new WithoutNode(pod("huge", 9), START, List.of()),
                new WithoutNode(pod("large", 6), START, List.of("n3")));

        assertThat(keptRooms.keep(huge, nodes, LONG)).isEmpty();
    }

    @Test
    void keepsNoSecondRoomForAPodForWhichOthersWereEvicted() {
        nodes.nominated(new KeptRooms("", List.of(new KeptRoom("n1", "large", "ns/large-name", cpus(6), 0))), LONG);

        assertThat(keptRooms.keep(waiting, nodes, LONG)).isEmpty();
    }

    /** News come each second: only other rooms are a reason to try pods again. */
    @Test
    void sameRoomsAreNoChange() {
        var news = new KeptRooms("", List.of(ROOM));

        assertThat(nodes.kept(news, START)).isTrue();
        assertThat(nodes.kept(news, START.plusSeconds(1))).isFalse();
        assertThat(nodes.look(START.plusSeconds(1))).isFalse();
        assertThat(nodes.look(START.plusSeconds(1).plus(NodeTable.KEPT_WITHOUT_NEWS)))
                .isTrue();
        assertThat(nodes.kept()).isEmpty();
    }

    @Test
    void roomsOfBothEntrancesAreKeptEachForAsLongAsThereIsNewsOfIt() {
        var other = new KeptRoom("n1", "other", "ns/other", cpus(1), 0);
        var soon = START.plus(NodeTable.KEPT_WITHOUT_NEWS).minusMillis(1);
        nodes.kept(new KeptRooms("", List.of(ROOM)), START);
        nodes.kept(new KeptRooms("own", List.of(other)), soon);
        nodes.look(soon);
        assertThat(nodes.kept()).containsExactlyInAnyOrder(ROOM, other);
        assertThat(nodes.find("n2").orElseThrow().kept()).contains(ROOM);

        nodes.look(soon.plusMillis(1));
        assertThat(nodes.kept()).containsExactly(other);
        assertThat(nodes.find("n2").orElseThrow().kept()).isEmpty();

        nodes.kept(new KeptRooms("own", List.of()), soon);
        assertThat(nodes.kept()).isEmpty();
    }

    @Test
    void ofTwoRoomsOnANodeTheOneCountsForWhichPodsWereEvicted() {
        var evictedFor = new KeptRoom("n2", "evicted-for", "ns/evicted-for", cpus(1), 0);
        nodes.nominated(new KeptRooms("own", List.of(evictedFor)), START);
        nodes.kept(new KeptRooms("", List.of(ROOM)), START.plusSeconds(1));
        assertThat(nodes.kept()).containsExactly(evictedFor);

        nodes.look(START.plus(NodeTable.KEPT_WITHOUT_NEWS));
        assertThat(nodes.find("n2").orElseThrow().kept()).contains(ROOM);
    }
}
