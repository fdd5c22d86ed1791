package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: each of the points that keep two ledgers from promising the same room has an effect of its own.
 *
 * <p>Method: real members; for each point a history that it stops, with all points switched off that would stop it too,
 * and the same history without the point, which goes wrong.
 */
@Execution(ExecutionMode.CONCURRENT)
class LedgerSafetyTest {
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final Duration LONGER_THAN_HEARD = MajorityCheck.HEARD_WITHIN.plus(Duration.ofSeconds(1));

    private static final Duration MERGE_MAX = Duration.ofSeconds(40);
    private static final String NODE = "n";

    private final Members members = new Members(4);

    @AfterEach
    void stop() {
        members.close();
    }

    /** A clock that goes on by itself, and can be set ahead. */
    private static final class Clock {
        private final AtomicLong ahead = new AtomicLong();

        long nanos() {
            return System.nanoTime() + ahead.get();
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

    // 1. Split-brain protection by the majority heard within 2 s, asked again inside the processor.

    @Test
    @DisplayName("F6: a member without a majority is refused operations")
    void hazelcastRefusesOperationsOfAMemberThatHearsNoMajority() {
        var owner = start(3, Safeguard.PROTECTION);
        var other = start(3, Safeguard.PROTECTION);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);

        other.member().getLifecycleService().terminate();

        await().atMost(WAIT)
                .untilAsserted(() -> assertThat(NodeStates.failure(NodeStates.hold(owner.store(), node, "h")))
                        .isInstanceOf(SplitBrainProtectionException.class));
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
        NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "h"));
    }

    @Test
    @DisplayName("F6, F7: an owner that stood still checks for the majority in the step that runs a command")
    void theProcessorAsksAnewWhatHazelcastHasKeptFromBefore() {
        var clock = new Clock();
        var owner = start(3, EnumSet.of(Safeguard.MAJORITY), clock);
        start(3, Safeguard.MAJORITY);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);

        clock.pass(LONGER_THAN_HEARD);

        assertThat(NodeStates.failure(NodeStates.hold(owner.store(), node, "h")))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessage("1 of 3 ledgers were heard in the last 2 s, 2 are needed");
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
    void aLedgerOfOneNeedsNobody() {
        var only = members.start(1);

        NodeStates.load(only.store(), "n");
        NodeStates.assertHeld(NodeStates.hold(only.store(), "n", "h"));
    }

    // 2. All replicas that make the majority are assigned, when it runs and when its copy is made.

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
                        .hasMessage("copy 1 of 1 of the books of node " + node + " is not made yet"));
    }

    @Test
    void whatChangesBetweenTheRunAndItsCopyIsSeen() {
        var clock = new Clock();
        var owner = start(3, EnumSet.of(Safeguard.MAJORITY), clock);
        start(3, Safeguard.MAJORITY);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        // Told in the middle of the step: after the commands have run, before the copy is asked for.
        owner.store().watch((after, notices) -> clock.pass(LONGER_THAN_HEARD));

        assertThat(NodeStates.failure(NodeStates.hold(owner.store(), node, "h")))
                .isInstanceOf(LedgerUnavailableException.class);
    }

    // 3. The new state travels to copies, never the command, before every answer, unchanged ones too.

    @Test
    @DisplayName("F1: the next owner has what the dead one replied")
    void whoTakesOverHasWhatWasAnswered() {
        var owner = members.start(3);
        var other = members.start(3);
        var third = members.start(3);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "h"));
        var booked = NodeStates.read(other.store(), node);
        members.awaitSettled();

        owner.member().getLifecycleService().terminate();

        for (var left : Set.of(other, third)) {
            await().atMost(WAIT)
                    .ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(NodeStates.read(left.store(), node)).isEqualTo(booked));
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
                .as("a change is refused by a copy that is not what it was made from")
                .isInstanceOf(IndeterminateOperationStateException.class);
        NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "h"));
        var booked = NodeStates.read(owner.store(), node);
        owner.member().getLifecycleService().terminate();

        await().atMost(WAIT)
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(NodeStates.read(other.store(), node)).isEqualTo(booked));
    }

    @Test
    void anAnswerThatChangesNothingWaitsForItsCopyToo() {
        var owner = start(3, Safeguard.CONFIRMATION, Safeguard.UNCHANGED_TOO);
        start(3, Safeguard.CONFIRMATION, Safeguard.UNCHANGED_TOO);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        CopyFault.SPOILT.strike(owner, node);

        assertThat(NodeStates.failure(owner.store().run(node, new LedgerCommand.Release("nobody"))))
                .isInstanceOf(IndeterminateOperationStateException.class);
    }

    @Test
    void elseItIsGivenWhileTheCopyKnowsNothingOfIt() {
        var owner = start(3, Safeguard.CONFIRMATION);
        start(3, Safeguard.CONFIRMATION);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        CopyFault.SPOILT.strike(owner, node);

        assertThat(NodeStates.get(owner.store().run(node, new LedgerCommand.Release("nobody"))))
                .isInstanceOf(HoldReply.class);
    }

    // 4. An outcome that the copies did not confirm is a failure.

    @Test
    void withoutConfirmationAnAnswerIsGivenThatNoCopyHas() {
        var owner = start(3);
        start(3);
        var node = NodeStates.nodeOf(owner);
        NodeStates.load(owner.store(), node);
        CopyFault.SPOILT.strike(owner, node);

        NodeStates.assertHeld(NodeStates.hold(owner.store(), node, "h"));
    }

    // 5. Where two halves meet again, the books of the smaller are none.

    @Test
    @DisplayName("F10: the state of the minority is discarded at the merge")
    void theBooksOfTheSmallerHalfAreThrownAway() {
        var smaller = mergedAfterASplit(EnumSet.of(Safeguard.DISCARD));

        assertThat(smaller.store().read(NODE).map(Optional::isPresent).toCompletionStage())
                .succeedsWithin(WAIT)
                .isEqualTo(false);
    }

    @Test
    void elseTheyFillWhatTheLargerDoesNotKnow() {
        var smaller = mergedAfterASplit(EnumSet.noneOf(Safeguard.class));

        assertThat(NodeStates.read(smaller.store(), NODE).members().size()).isEqualTo(1);
    }

    /** The smaller half has booked what the larger one has not. */
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

    // 6. Members that disagree, or are too many, stop grants and say so.

    @Test
    void membersThatWereToldOtherSizesGrantNothing() {
        var one = start(1, Safeguard.AGREEMENT);
        NodeStates.load(one.store(), "n");
        var three = start(3, Safeguard.AGREEMENT);

        assertCloses(one, "the member " + endpoint(three) + " was told that members.ledgers is 3, this one 1");
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

        assertCloses(one, "2 members keep books, but members.ledgers is 1");
        assertThat(NodeStates.failure(NodeStates.hold(one.store(), "n", "h")))
                .isInstanceOf(LedgerUnavailableException.class);
    }

    static Stream<LedgerRules> otherRules() {
        var reserve = new Portions(Portion.Share.parse("20%"), Portion.NOTHING);
        return Stream.of(
                new LedgerRules(Duration.ofSeconds(20), 0.9, Portions.NOTHING, LastPermitTrust.RECOVERY, true),
                new LedgerRules(Duration.ofSeconds(10), 0.9, reserve, LastPermitTrust.RECOVERY, true));
    }

    @ParameterizedTest
    @MethodSource("otherRules")
    void membersWithOtherRulesGrantNothing(LedgerRules rules) {
        var one = members.start(3);
        var other = members.start(rules, 3, EnumSet.allOf(Safeguard.class), System::nanoTime, InstantSource.system());

        assertCloses(
                one,
                "the member " + endpoint(other) + " was told other ledger.permitValidFor, ledger.systemReserve or"
                        + " ledger.trustLastPermit than this one");
    }

    /** Members hear of a new one by an event of their own, after that one has joined. */
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

    // 7. Elapsed time is the sum of one owner's monotonic differences; a change of owner adds none.

    @Test
    @DisplayName("F8: time that passes while a node ledger changes its owner is not counted")
    void timeThatPassesWhileBooksChangeHandsIsNotCounted() {
        var first = new Clock();
        var second = new Clock();
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
                        .as("six seconds are left, whatever the heir's clock shows")
                        .isZero());

        second.pass(Duration.ofSeconds(7));
        assertThat(heldAfterATick(heir, node)).as("the first hold ran out").isEqualTo(1);
        second.pass(Duration.ofSeconds(4));
        assertThat(heldAfterATick(heir, node)).as("then the other").isZero();
    }

    /** Not what the tick itself says: one that was given up on may run late, and be the one that ends the hold. */
    private static int heldAfterATick(Members.Started keeper, String node) {
        NodeStates.tick(keeper.store(), node);
        return NodeStates.read(keeper.store(), node).members().size();
    }
}
