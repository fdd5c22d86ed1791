package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.store.LedgerUnavailableException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Goal: a client does not notice a change of the owner that is over before the client gives up. */
@Execution(ExecutionMode.CONCURRENT)
class WaitingCommandsTest {
    private Members members = new Members(3, Duration.ofSeconds(15));

    @AfterEach
    void stop() {
        members.close();
    }

    @Test
    @DisplayName("F1: a command outlives the process that owns its node ledger")
    void aCommandOutlivesTheOwnerOfItsLedger() {
        var owner = members.start(3);
        var other = members.start(3);
        members.start(3);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        members.awaitSettled();

        owner.member().getLifecycleService().terminate();

        NodeStates.assertHeld(NodeStates.hold(other.store(), node, "h"));
        assertThat(NodeStates.read(other.store(), node).reservations().size()).isEqualTo(1);
    }

    @Test
    @DisplayName("F1: a command that no replica confirmed runs again and counts once")
    void whatNoCopyConfirmedIsRunAgainAndCountsOnce() {
        var owner = members.start(3);
        members.start(3);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        CopyFault.SPOILT.strike(owner, node);

        NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "h"));
        assertThat(NodeStates.read(owner.store(), node).sums().reserved()).isEqualTo(NodeStates.ROOM);
    }

    @Test
    void aCopyThatDiesIsNotWaitedFor() {
        members.close();
        // Shorter than the time for a replica: without the repeats, the failure comes only after the client has given
        // up.
        members = new Members(3, Duration.ofSeconds(40));
        members.property("hazelcast.operation.backup.timeout.millis", "41000");
        var owner = members.start(3);
        var others = List.of(members.start(3), members.start(3));
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        var copy = NodeStates.copyOf(owner, node, others);
        members.awaitSettled();
        CopyFault.STALLED.strike(owner, node);
        var held = NodeStates.hold(owner.store(), node, "h");

        copy.member().getLifecycleService().terminate();

        NodeStates.assertHeld(held);
    }

    @Test
    void commandsKeepTheirOrder() {
        var owner = members.start(3);
        members.start(3);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        CopyFault.SPOILT.strike(owner, node);

        var held = NodeStates.hold(owner.store(), node, "h");
        var released = owner.store().run(node, new LedgerCommand.Release("h"));

        NodeStates.assertHeld(held);
        released.await();
        assertThat(NodeStates.read(owner.store(), node).reservations().size()).isZero();
    }

    @Test
    void aCommandThatHasWaitedLongEnoughReportsWhatWentWrong() {
        members.close();
        members = new Members(3, Duration.ofMillis(300));
        var owner = members.start(3);

        assertThat(NodeStates.failure(NodeStates.hold(owner.store(), "n", "h")))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("ledger processes");
    }

    @Test
    void whatDoesNotPassIsNotWaitedFor() {
        members.close();
        members = new Members(3, Duration.ofDays(1));
        var one = members.start(
                Members.RULES, 1, EnumSet.of(Safeguard.AGREEMENT), System::nanoTime, InstantSource.system());
        members.start(Members.RULES, 1, EnumSet.of(Safeguard.AGREEMENT), System::nanoTime, InstantSource.system());
        await().until(() -> one.ledger().closed().isPresent());

        assertThat(NodeStates.failure(NodeStates.hold(one.store(), "n", "h")))
                .isInstanceOf(LedgerUnavailableException.class);
    }
}
