package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.LifecycleEvent;
import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.store.LedgerUnavailableException;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.shell.Portion;
import io.sluice.shell.Portions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: each of the points that keep two ledger processes from granting the same room has an effect of its own.
 *
 * <p>Method: real members. For each point, one history that the point stops, with all other points switched off that
 * would stop it too; and the same history without the point, which goes wrong.
 */
@Execution(ExecutionMode.CONCURRENT)
class LedgerSafetyTest {
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final Duration LONGER_THAN_RECEIVED = MajorityCheck.CONTACT_WITHIN.plus(Duration.ofSeconds(1));

    private static final Duration MERGE_MAX = Duration.ofSeconds(40);
    private static final String NODE = "n";

    private Members members = new Members(4);

    @AfterEach
    void stop() {
        members.close();
    }

    /** A clock that advances by itself or stands still, and can be set ahead, at once or with each reading. */
    private static final class Clock {
        private final LongSupplier base;
        private final AtomicLong ahead = new AtomicLong();
        private volatile long step;

        Clock() {
            this(System::nanoTime);
        }

        private Clock(LongSupplier base) {
            this.base = base;
        }

        static Clock thatStandsStill() {
            long now = System.nanoTime();
            return new Clock(() -> now);
        }

        long nanos() {
            return base.getAsLong() + ahead.addAndGet(step);
        }

        void passWithEachReading(Duration time) {
            step = time.toNanos();
        }

        void pass(Duration time) {
            ahead.addAndGet(time.toNanos());
        }
    }

    private Members.Started start(int size, Set<Safeguard> guards, Clock clock) {
        return members.start(Members.RULES, size, guards, clock::nanos, InstantSource.system());
    }

    private Members.Started start(int size, Safeguard... guards) {
        var chosen = EnumSet.noneOf(Safeguard.class);
        chosen.addAll(Set.of(guards));
        return start(size, chosen, new Clock());
    }

    // 1. Split-brain protection by the majority that replied within 2 s, checked again in the processor.

    @Test
    @DisplayName("F6: a member without a majority is refused operations")
    void hazelcastRefusesOperationsOfAMemberWithoutAMajority() {
        var owner = start(3, Safeguard.PROTECTION);
        var other = start(3, Safeguard.PROTECTION);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);

        other.member().getLifecycleService().terminate();

        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(NodeStates.failure(NodeStates.hold(owner.store(), node, "h")))
                        .isInstanceOf(LedgerUnavailableException.class)
                        .hasMessageContaining("Hazelcast sees no majority"));
    }

    @Test
    void withoutProtectionAMemberThatIsAloneGoesOn() {
        var owner = start(3);
        var other = start(3);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);

        other.member().getLifecycleService().terminate();

        await().atMost(WAIT)
                .until(() -> owner.member().getCluster().getMembers().size() == 1);
        // A command during which the member leaves has no result that is known; its repeat has.
        await().atMost(WAIT)
                .ignoreException(LedgerUnavailableException.class)
                .untilAsserted(() -> NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "h")));
    }

    @Test
    @DisplayName("F6, F7: an owner that stood still checks for the majority in the step that runs a command")
    void theProcessorChecksAnewWhatHazelcastHasKeptFromBefore() {
        var clock = new Clock();
        var owner = start(3, EnumSet.of(Safeguard.MAJORITY), clock);
        start(3, Safeguard.MAJORITY);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);

        // A contact may come between the two.
        await().atMost(WAIT).untilAsserted(() -> {
            clock.pass(LONGER_THAN_RECEIVED);
            assertThat(NodeStates.failure(NodeStates.hold(owner.store(), node, "h")))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessage("1 of 3 ledger processes replied in the last 2 s, 2 are needed");
        });
    }

    @Test
    void membersWithoutDataAreNoMajority() {
        var owner = start(3, Safeguard.MAJORITY);
        members.startLite();
        members.startLite();

        assertThat(NodeStates.failure(NodeStates.hold(owner.store(), "n", "h")))
                .isInstanceOf(LedgerUnavailableException.class);
    }

    @Test
    void aLedgerOfOneNeedsNoOtherMember() {
        var only = members.start(1);

        NodeStates.load(only.store(), "n");
        NodeStates.assertHeld(NodeStates.hold(only.store(), "n", "h"));
    }

    // 2. Every replica of the majority has a member, when the commands run and when the replica is made.

    @Test
    void anOwnerThatHasLostItsCopyAndNotFoundTheNextDoesNotAnswer() {
        var owner = start(3, Safeguard.COPIES);
        var other = start(3, Safeguard.COPIES);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);

        other.member().getLifecycleService().terminate();

        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(NodeStates.failure(NodeStates.hold(owner.store(), node, "h")))
                        .isInstanceOf(LedgerUnavailableException.class)
                        .hasMessage("replica 1 of 1 of the ledger of node " + node + " is missing"));
    }

    @Test
    void whatChangesBetweenTheRunAndItsCopyIsDetected() {
        var clock = new Clock();
        var owner = start(3, EnumSet.of(Safeguard.MAJORITY), clock);
        start(3, Safeguard.MAJORITY);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        // Called in the middle of the step: after the commands have run, before Hazelcast gets the replica's processor.
        // A contact that comes just then is too old as well when it is looked at.
        owner.store().watch((after, notices) -> clock.passWithEachReading(LONGER_THAN_RECEIVED));

        assertThat(NodeStates.failure(NodeStates.hold(owner.store(), node, "h")))
                .isInstanceOf(LedgerUnavailableException.class);
    }

    // 3. Replicas receive the new state, never the command, before every reply, also where nothing changed.

    @Test
    @DisplayName("F1: the next owner has what the dead one replied")
    void theNextOwnerHasWhatWasReplied() {
        members.close();
        members = new Members(3, Duration.ofSeconds(60));
        var owner = members.start(3);
        var other = members.start(3);
        var third = members.start(3);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        members.awaitSettled();
        NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "h"));
        var reserved = await().atMost(WAIT)
                .ignoreExceptions()
                .until(() -> NodeStates.read(other.store(), node), state -> true);

        owner.member().getLifecycleService().terminate();

        for (var left : Set.of(other, third)) {
            await().atMost(WAIT)
                    .ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(NodeStates.read(left.store(), node)).isEqualTo(reserved));
        }
    }

    @Test
    void aCopyThatDivergedBecomesWhatTheOwnerHas() {
        var owner = start(3, Safeguard.CONFIRMATION);
        var other = start(3, Safeguard.CONFIRMATION);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        CopyFault.SPOILT.strike(owner, node);

        assertThat(NodeStates.failure(NodeStates.hold(owner.store(), node, "h")))
                .as("a replica refuses a change that was made from another state")
                .isInstanceOf(IndeterminateOperationStateException.class);
        await().atMost(WAIT)
                .ignoreExceptions()
                .untilAsserted(() -> NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "h")));
        var reserved = NodeStates.read(owner.store(), node);
        owner.member().getLifecycleService().terminate();

        await().atMost(WAIT)
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(NodeStates.read(other.store(), node)).isEqualTo(reserved));
    }

    @Test
    void anAnswerThatChangesNothingWaitsForItsCopyToo() {
        var owner = start(3, Safeguard.CONFIRMATION, Safeguard.UNCHANGED_TOO);
        start(3, Safeguard.CONFIRMATION, Safeguard.UNCHANGED_TOO);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        CopyFault.SPOILT.strike(owner, node);

        assertThat(NodeStates.failure(owner.store().run(node, new LedgerCommand.Release("absent"))))
                .isInstanceOf(IndeterminateOperationStateException.class);
    }

    @Test
    void elseItIsGivenWhileTheCopyHasNothingOfIt() {
        var owner = start(3, Safeguard.CONFIRMATION);
        start(3, Safeguard.CONFIRMATION);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        CopyFault.SPOILT.strike(owner, node);

        assertThat(owner.store().run(node, new LedgerCommand.Release("absent")).await())
                .isInstanceOf(HoldReply.class);
    }

    // 4. A result that the replicas did not confirm is a failure.

    @Test
    void withoutConfirmationAnAnswerIsGivenThatNoCopyHas() {
        var owner = start(3);
        start(3);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        CopyFault.SPOILT.strike(owner, node);

        NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "h"));
    }

    // 5. Where two sides of a split merge, the state of the smaller side is discarded.

    @Test
    @DisplayName("F10: the state of the minority is discarded at the merge")
    void theLedgerStateOfTheSmallerHalfIsThrownAway() {
        var smaller = mergedAfterASplit(EnumSet.of(Safeguard.DISCARD));

        assertThat(smaller.store().read(NODE).map(Optional::isPresent).toCompletionStage())
                .succeedsWithin(WAIT)
                .isEqualTo(false);
    }

    @Test
    void elseItFillsWhatTheLargerHalfLacks() {
        var smaller = mergedAfterASplit(EnumSet.noneOf(Safeguard.class));

        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(smaller.store()
                                .read(NODE)
                                .await()
                                .map(state -> state.reservations().size()))
                        .contains(1));
    }

    /** The smaller side has a hold that the larger one lacks. */
    private Members.Started mergedAfterASplit(Set<Safeguard> guards) {
        members.startApart(guards, List.of(0, 1));
        members.startApart(guards, List.of(0, 1));
        var smaller = members.startApart(guards, List.of(2));
        NodeStates.load(smaller.store(), NODE);
        NodeStates.assertHeld(NodeStates.hold(smaller.store(), NODE, "h"));
        var merged = new CountDownLatch(1);
        smaller.member().getLifecycleService().addLifecycleListener(event -> {
            if (event.getState() == LifecycleEvent.LifecycleState.MERGED) {
                merged.countDown();
            }
        });

        members.introduce();

        await().atMost(MERGE_MAX).until(() -> merged.getCount() == 0);
        await().atMost(WAIT)
                .until(() -> smaller.member().getCluster().getMembers().size() == 3);
        return smaller;
    }

    // 6. Members that disagree, or are too many, grant nothing and report it.

    @Test
    void membersConfiguredWithOtherSizesGrantNothing() {
        var one = start(1, Safeguard.AGREEMENT);
        NodeStates.load(one.store(), "n");
        var three = start(3, Safeguard.AGREEMENT);

        assertCloses(one, "the member " + endpoint(three) + " has hazelcast.ledgers 3, this one has 1");
        assertThat(three.ledger().closed()).isPresent();
        assertThat(NodeStates.failure(NodeStates.hold(one.store(), "n", "h")))
                .isInstanceOf(LedgerUnavailableException.class);

        three.member().getLifecycleService().terminate();
        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(one.ledger().closed()).isEmpty());
    }

    private static String endpoint(Members.Started started) {
        var address = started.member().getCluster().getLocalMember().getAddress();
        return address.getHost() + ":" + address.getPort();
    }

    @Test
    @DisplayName("F9: more members than configured grant nothing")
    void moreMembersThanConfiguredGrantNothing() {
        var one = start(1, Safeguard.AGREEMENT);
        start(1, Safeguard.AGREEMENT);

        assertCloses(one, "2 members keep ledger state, but hazelcast.ledgers is 1");
        assertThat(NodeStates.failure(NodeStates.hold(one.store(), "n", "h")))
                .isInstanceOf(LedgerUnavailableException.class);
    }

    static Stream<LedgerRules> otherRules() {
        var reserve = new Portions(Portion.Share.parse("20%"), Portion.NOTHING);
        return Stream.of(
                new LedgerRules(
                        Duration.ofSeconds(20), 0.9, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.WHOLE),
                new LedgerRules(Duration.ofSeconds(10), 0.9, reserve, LastPermitTrust.RECOVERY, InvariantChecks.WHOLE));
    }

    @ParameterizedTest
    @MethodSource("otherRules")
    void membersWithOtherRulesGrantNothing(LedgerRules rules) {
        var one = members.start(3);
        var other = members.start(rules, 3, EnumSet.allOf(Safeguard.class), System::nanoTime, InstantSource.system());

        assertCloses(
                one,
                "the member " + endpoint(other) + " has another ledger.permitValidFor, ledger.systemReserve or"
                        + " ledger.trustLastPermit than this one");
    }

    /** Members learn of a new one by an event, after that one has joined. */
    private static void assertCloses(Members.Started one, String reason) {
        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(one.ledger().closed()).contains(reason));
    }

    @Test
    void withoutAgreementEachGoesByItsOwn() {
        var one = start(1);
        start(1);

        NodeStates.load(one.store(), "n");
        NodeStates.assertHeld(NodeStates.hold(one.store(), "n", "h"));
    }

    // 8. Elapsed time is the sum of what each owner's monotonic clock measured; a change of owner adds none.

    @Test
    @DisplayName("F8: time that passes while a node ledger changes its owner is not counted")
    void timeThatPassesWhileALedgerChangesItsOwnerIsNotCounted() {
        var first = Clock.thatStandsStill();
        var second = Clock.thatStandsStill();
        var owner = start(3, EnumSet.noneOf(Safeguard.class), first);
        var heir = start(3, EnumSet.noneOf(Safeguard.class), second);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "h"));
        first.pass(Duration.ofSeconds(4));
        assertThat(NodeStates.tick(owner.store(), node)).isZero();
        NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "other"));

        second.pass(Duration.ofHours(1));
        owner.member().getLifecycleService().terminate();
        await().atMost(WAIT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(NodeStates.tick(heir.store(), node))
                        .as("six seconds are left, whatever the new owner's clock shows")
                        .isZero());

        second.pass(Duration.ofSeconds(7));
        assertThat(heldAfterATick(heir, node)).as("the first hold expired").isEqualTo(1);
        second.pass(Duration.ofSeconds(4));
        assertThat(heldAfterATick(heir, node)).as("then the other").isZero();
    }

    /** Reads the state instead of the tick's reply: an earlier tick that timed out may run late and end the hold. */
    private static int heldAfterATick(Members.Started started, String node) {
        NodeStates.tick(started.store(), node);
        return NodeStates.read(started.store(), node).reservations().size();
    }
}
