package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Goal: room that one process has kept denies the holds of every other one, which has not seen that decision, and does
 * so after the death of the node ledger's owner too. Method: real members.
 */
class RoomClaimsOnMembersTest {
    private static final Duration WAIT = Duration.ofSeconds(20);
    private final Members members = new Members(4, Duration.ofSeconds(60));

    @AfterEach
    void stop() {
        members.close();
    }

    @Test
    @DisplayName("F1: room that is kept stays kept when the ledger's owner dies")
    void deniesTheHoldsOfOtherProcessesAlsoAfterItsOwnerIsDead() {
        var owner = members.start(3);
        var first = members.start(3);
        var other = members.start(3);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        var room = new KeptRoom(node, "large", "ns/large", NodeStates.TOTAL, 0);

        assertThat(first.store()
                        .run(node, new LedgerCommand.Keep(new KeepRoom(room, KeepRoom.KEPT_AT_MOST)))
                        .await())
                .isInstanceOf(KeepReply.Kept.class);
        assertThat(NodeStates.hold(other.store(), node, "small").await()).isEqualTo(new HoldReply.RoomKept("ns/large"));
        members.awaitSettled();

        owner.member().getLifecycleService().terminate();

        for (var left : List.of(first, other)) {
            await().atMost(WAIT)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(
                                    NodeStates.hold(left.store(), node, "small").await())
                            .isEqualTo(new HoldReply.RoomKept("ns/large")));
        }
        assertThat(other.store()
                        .run(node, new LedgerCommand.Keep(KeepRoom.end(room)))
                        .await())
                .isEqualTo(new KeepReply.Ended());
        NodeStates.assertHeld(NodeStates.hold(first.store(), node, "small"));
    }
}
