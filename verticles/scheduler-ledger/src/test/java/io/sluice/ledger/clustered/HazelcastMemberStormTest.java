package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.core.OperationTimeoutException;
import io.sluice.ledger.store.LedgerUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Goal: grants follow the majority while members leave and join. Method: of three members in this process two are lost
 * and two others join, again and again; the one that stays gets requests all the time.
 */
@Execution(ExecutionMode.CONCURRENT)
class HazelcastMemberStormTest {
    private static final int LEDGERS = 3;
    private static final int ROUNDS = 3;
    private static final Duration WAIT = Duration.ofSeconds(30);

    /** What a command or a read may end with while members leave and join. */
    private static final List<Class<? extends Exception>> PASSING = List.of(
            IllegalStateException.class,
            LedgerUnavailableException.class,
            IndeterminateOperationStateException.class,
            OperationTimeoutException.class,
            MemberLeftException.class,
            NoSuchElementException.class);

    private final Members members = new Members(LEDGERS + 2 * ROUNDS);

    @AfterEach
    void stop() {
        members.close();
    }

    @Test
    @DisplayName("F9: with two of three lost grants stop, and with the majority they resume")
    void grantsStopBelowTheMajorityAndResumeWithIt() {
        var stays = members.start(LEDGERS);
        var one = members.start(LEDGERS);
        var other = members.start(LEDGERS);
        var node = NodeStates.nodeOf(stays);
        NodeStates.load(stays.store(), node);

        for (int round = 0; round < ROUNDS; round++) {
            awaitHeld(stays, node, "with-three-" + round);

            one.member().getLifecycleService().terminate();
            other.member().getLifecycleService().terminate();
            awaitRefused(stays, node, "with-one-" + round);

            one = members.start(LEDGERS);
            other = members.start(LEDGERS);
            NodeStates.load(stays.store(), node);
            awaitMajority()
                    .untilAsserted(() -> assertThat(NodeStates.read(stays.store(), node)
                                    .sums()
                                    .reserved()
                                    .exceeds(NodeStates.TOTAL))
                            .isFalse());
        }
        awaitHeld(other, node, "in-the-end");
    }

    /** A process counts others that replied in the last 2 s, which a busy machine may exceed; then it refuses. */
    private static void awaitHeld(Members.Started one, String node, String holder) {
        awaitMajority().untilAsserted(() -> NodeStates.assertHeld(NodeStates.hold(one.store(), node, holder)));
    }

    /** Each member finds the majority at a time of its own. */
    private static ConditionFactory awaitMajority() {
        return await().atMost(WAIT)
                .ignoreExceptionsMatching(failure -> PASSING.stream().anyMatch(kind -> kind.isInstance(failure)));
    }

    private static void awaitRefused(Members.Started alone, String node, String holder) {
        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(NodeStates.failure(NodeStates.hold(alone.store(), node, holder)))
                        .isInstanceOf(LedgerUnavailableException.class));
    }
}
