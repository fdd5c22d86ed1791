package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.ledger.core.LedgerCommand;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A majority has an incarnation before it is sent in a reply, also of a node of which nothing else is stored. */
class IncarnationTakenOverTest {
    private static final Duration WAIT = Duration.ofSeconds(20);

    private final Members members = new Members(3, Duration.ofSeconds(60));

    @AfterEach
    void stop() {
        members.close();
    }

    @Test
    void aNewOwnerWaitsForTheListThatNamesTheIncarnationThatWasReplied() {
        var owner = members.start(3);
        var other = members.start(3);
        members.start(3);
        var node = NodeStates.nodeOf(owner);
        members.awaitSettled();
        long replied = NodeStates.relist(owner.store(), node);

        owner.member().getLifecycleService().terminate();

        await().atMost(WAIT)
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(NodeStates.relist(other.store(), node)).isEqualTo(replied));
        assertThat(other.store()
                        .run(node, new LedgerCommand.Load(NodeStates.list(node).relist(replied)))
                        .await()
                        .relist())
                .as("the list was accepted")
                .isEmpty();
        NodeStates.assertHeld(NodeStates.hold(other.store(), node, "h"));
    }
}
