package io.sluice.placement.core;

import static io.sluice.placement.core.Given.cpus;
import static io.sluice.placement.core.Given.node;
import static io.sluice.placement.core.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.placement.KeptRooms;
import io.sluice.placement.core.PendingPods.WithoutNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptRoomRulesTest {
    private static final Instant START = Instant.EPOCH;
    private static final Instant LONG = START.plus(KeptRoomRules.WAITS_LONG);
    private static final KeptRoom ROOM = room("n2");

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
        assertThat(keep(waiting, nodes, LONG.minusMillis(1))).isEmpty();
        assertThat(keep(waiting, nodes, LONG)).containsExactly(ROOM);
    }

    @Test
    void keepsItForAMinuteAndNotAgainForAWhile() {
        keep(waiting, nodes, LONG);

        assertThat(keep(waiting, nodes, LONG.plus(KeptRoomRules.KEPT_FOR).minusMillis(1)))
                .containsExactly(ROOM);
        assertThat(keep(waiting, nodes, LONG.plus(KeptRoomRules.KEPT_FOR))).isEmpty();
        assertThat(keep(waiting, nodes, LONG.plus(KeptRoomRules.AGAIN_AFTER).minusMillis(1)))
                .isEmpty();
        assertThat(keep(waiting, nodes, LONG.plus(KeptRoomRules.AGAIN_AFTER))).containsExactly(ROOM);
    }

    @Test
    void keepsItNoLongerThanItsPodWaits() {
        keep(waiting, nodes, LONG);

        assertThat(keep(List.of(), nodes, LONG.plusSeconds(1))).isEmpty();
    }

    @Test
    void keepsOneRoomOnANode() {
        var two = List.of(
                new WithoutNode(pod("large", 6), START, List.of("n2")),
                new WithoutNode(pod("next", 6), START.plusSeconds(1), List.of("n2")));

        assertThat(keep(two, nodes, LONG.plusSeconds(1))).containsExactly(ROOM);
    }

    @Test
    void keepsNoRoomWhereThePodNeverFits() {
        var huge = List.of(
                new WithoutNode(pod("huge", 9), START, List.of()),
                new WithoutNode(pod("large", 6), START, List.of("n3")));

        assertThat(keep(huge, nodes, LONG)).isEmpty();
    }

    @Test
    void keepsNoSecondRoomForAPodForWhichOthersWereEvicted() {
        nodes.nominated(new KeptRooms("", List.of(new KeptRoom("n1", "large", "ns/large-name", cpus(6), 0))), LONG);

        assertThat(keep(waiting, nodes, LONG)).isEmpty();
    }

    @Test
    void requestsItForAsLongAsIsLeft() {
        assertThat(keptRooms.keep(waiting, nodes, LONG)).containsExactly(new KeepRoom(ROOM, Duration.ofSeconds(60)));
        assertThat(keptRooms.keep(waiting, nodes, LONG.plusSeconds(50)))
                .containsExactly(new KeepRoom(ROOM, Duration.ofSeconds(10)));
    }

    @Test
    void choosesAnotherNodeForTheRestOfTheTimeWhereTheLedgerRefuses() {
        keep(waiting, nodes, LONG);
        keptRooms.replied(ROOM, new KeepReply.Kept(KeptRoomRules.KEPT_FOR));
        nodes.observed(keeping("n2", 5, new KeptRoom("n2", "other", "ns/other", cpus(7), 0)));
        keptRooms.replied(ROOM, new KeepReply.OfAnother("ns/other"));

        assertThat(keptRooms.keep(waiting, nodes, LONG.plusSeconds(20)))
                .containsExactly(new KeepRoom(room("n1"), Duration.ofSeconds(40)));
        keptRooms.replied(room("n1"), new KeepReply.Ended());
        assertThat(keep(waiting, nodes, LONG.plusSeconds(30))).containsExactly(room("n1"));
        assertThat(keep(waiting, nodes, LONG.plus(KeptRoomRules.KEPT_FOR))).isEmpty();
    }

    @Test
    void leavesANodeWhereRoomIsKeptFromThePod() {
        nodes.observed(keeping("n2", 5, new KeptRoom("n2", "other", "ns/other", cpus(7), -1)));
        assertThat(keep(waiting, nodes, LONG)).as("kept from lower ones alone").containsExactly(ROOM);

        nodes.observed(keeping("n2", 5, new KeptRoom("n2", "other", "ns/other", cpus(7), 0)));
        assertThat(new KeptRoomRules().keep(waiting, nodes, LONG))
                .extracting(KeepRoom::room)
                .containsExactly(room("n1"));
    }

    @Test
    void keepsNoSecondRoomForAPodForWhichAnotherProcessHasKeptOne() {
        nodes.observed(keeping("n2", 5, ROOM));
        assertThat(keep(waiting, nodes, LONG)).isEmpty();

        nodes.observed(node("n2", 8, 5));
        assertThat(keep(waiting, nodes, LONG.plusSeconds(1))).isEmpty();
        assertThat(keep(waiting, nodes, LONG.plus(KeptRoomRules.AGAIN_AFTER))).containsExactly(ROOM);
    }

    @Test
    void bothRoomsOfANodeAreKept() {
        var evictedFor = new KeptRoom("n2", "evicted-for", "ns/evicted-for", cpus(1), 0);
        nodes.nominated(new KeptRooms("own", List.of(evictedFor)), START);
        nodes.observed(keeping("n2", 5, ROOM));
        assertThat(nodes.find("n2").orElseThrow().kept()).containsExactly(ROOM, evictedFor);

        nodes.look(START.plus(NodeTable.KEPT_WITHOUT_NEWS).minusMillis(1));
        assertThat(nodes.find("n2").orElseThrow().kept()).containsExactly(ROOM, evictedFor);
        nodes.look(START.plus(NodeTable.KEPT_WITHOUT_NEWS));
        assertThat(nodes.find("n2").orElseThrow().kept()).containsExactly(ROOM);
        nodes.observed(node("n2", 8, 5));
        assertThat(nodes.find("n2").orElseThrow().kept()).isEmpty();
    }

    private List<KeptRoom> keep(List<WithoutNode> pods, NodeTable table, Instant now) {
        return keptRooms.keep(pods, table, now).stream().map(KeepRoom::room).toList();
    }

    private static KeptRoom room(String node) {
        return new KeptRoom(node, "large", "ns/large-name", cpus(6), 0);
    }

    private static NodeLedgerView keeping(String name, double reserved, KeptRoom room) {
        return Given.keeping(node(name, 8, reserved), room);
    }
}
