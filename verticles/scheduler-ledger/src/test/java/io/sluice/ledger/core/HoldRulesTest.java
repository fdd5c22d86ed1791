package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.NewReservation;
import io.sluice.ledger.core.state.Tombstones;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldRulesTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private final Scene scene = Scene.loaded();

    @Test
    void aHoldBecomesABinding() {
        assertThat(hold("H", 3000)).isEqualTo(new HoldReply.Held(TTL));
        assertThat(scene.state.sums().held().milliCpu()).isEqualTo(3000);

        assertThat(confirm("H")).isEqualTo(new HoldReply.Bound());
        assertThat(confirm("H")).as("a repeat").isEqualTo(new HoldReply.Bound());
        assertThat(scene.state.sums().held().milliCpu()).isZero();
        scene.after(Duration.ofHours(1)).run(new LedgerCommand.Tick());
        assertThat(scene.nodeReserved()).isEqualTo(3000);
    }

    @Test
    void aHoldThatIsNotConfirmedFreesItself() {
        hold("H", 3000);

        scene.after(TTL.minusNanos(1)).run(new LedgerCommand.Tick());
        assertThat(scene.nodeReserved()).isEqualTo(3000);
        scene.after(Duration.ofNanos(1)).run(new LedgerCommand.Tick());
        assertThat(scene.nodeReserved()).isZero();
        assertThat(confirm("H")).isEqualTo(new HoldReply.NoSuchHold());
        assertThat(scene.notices).anyMatch(notice -> notice instanceof LedgerNotice.HoldExpired);
    }

    @Test
    void aRepeatedHoldLivesLongerAndIsCountedOnce() {
        hold("H", 3000);
        scene.after(Duration.ofSeconds(20));

        assertThat(hold("H", 3000)).isEqualTo(new HoldReply.Held(TTL));
        assertThat(scene.nodeReserved()).isEqualTo(3000);
        assertThat(scene.run(new LedgerCommand.Hold(reservation("H", 3000), Duration.ofSeconds(1))))
                .as("never shorter")
                .isEqualTo(new HoldReply.Held(TTL));
    }

    @Test
    void aRepeatedHoldForgetsNothingThatWasReceivedOfItsVm() {
        var request = new HoldRoom(Scene.NODE, "H", "ns", "H", "H", cpu(3000), Overcommit.OFF, TTL);
        scene.run(new LedgerCommand.Hold(request));
        scene.vm(Vm.of("H", 2000, 8000));
        long session = scene.session("H", "runner");
        scene.request(Scene.request("H", session, 1, cpu(3500)));
        var before = scene.reservation("H");

        scene.after(Duration.ofSeconds(20));
        assertThat(scene.run(new LedgerCommand.Hold(request))).isEqualTo(new HoldReply.Held(TTL));

        assertThat(scene.reservation("H").session()).isEqualTo(before.session());
        assertThat(scene.reservation("H").observations()).isEqualTo(before.observations());
        assertThat(scene.reserved("H")).as("what it was permitted meanwhile").isEqualTo(3500);
    }

    @Test
    void aRepeatedHoldIsAsOldAsItWas() {
        hold("H", 3000);
        var since = scene.reservation("H").observations().since();

        scene.after(Duration.ofSeconds(20));
        hold("H", 2000);

        assertThat(scene.reservation("H").observations().since()).isEqualTo(since);
        assertThat(scene.reserved("H")).isEqualTo(2000);
    }

    @Test
    void noHoldLastsForMoreThanAnHourWithoutBeingRequestedAgain() {
        var day = Duration.ofDays(100_000_000);

        assertThat(scene.run(new LedgerCommand.Hold(reservation("H", 1), day)))
                .isEqualTo(new HoldReply.Held(Duration.ofHours(1)));
    }

    @Test
    void noTimeEndsAHoldUnderWhichItsPodIsBound() {
        var hold = new HoldRoom(
                Scene.NODE, "H", "ns", "H", "", cpu(3000), Overcommit.OFF, HoldRoom.UNTIL_RELEASED, "first");
        assertThat(scene.run(new LedgerCommand.Hold(hold))).isEqualTo(new HoldReply.Held(HoldRoom.UNTIL_RELEASED));

        scene.after(Duration.ofDays(10)).run(new LedgerCommand.Tick());
        assertThat(scene.nodeReserved()).isEqualTo(3000);
        assertThat(scene.run(new LedgerCommand.Hold(
                        new HoldRoom(Scene.NODE, "H", "ns", "H", "", cpu(3000), Overcommit.OFF, TTL, "second"))))
                .as("a later attempt, while a bind of the first may still take effect")
                .isEqualTo(new HoldReply.OfAnother("first"));
        assertThat(scene.run(new LedgerCommand.Release("H", "second"))).isEqualTo(new HoldReply.Released());
        assertThat(scene.nodeReserved()).isEqualTo(3000);
        assertThat(scene.run(new LedgerCommand.Release("H", "first"))).isEqualTo(new HoldReply.Released());
        assertThat(scene.nodeReserved()).isZero();
    }

    @Test
    void aHoldMayChangeItsAmountsWithinTheRoom() {
        hold("H", 3000);
        scene.fillTo(9_000);

        assertThat(hold("H", 4500))
                .isEqualTo(new HoldReply.NoRoom(
                        new Resources(500, 0),
                        new Resources(9000, Scene.MEMORY),
                        new Resources(10_000, Scene.MEMORY_TOTAL)));
        assertThat(scene.reserved("H")).as("all or nothing").isEqualTo(3000);
        assertThat(hold("H", 4000)).isInstanceOf(HoldReply.Held.class);
        assertThat(scene.nodeReserved()).isEqualTo(10_000);
    }

    @Test
    void releasingFreesAHoldAndNothingElse() {
        hold("H", 3000);
        scene.pod("P", cpu(100));

        assertThat(release("H")).isEqualTo(new HoldReply.Released());
        assertThat(release("H")).as("a repeat").isEqualTo(new HoldReply.Released());
        assertThat(release("P")).as("what is bound stays").isEqualTo(new HoldReply.Bound());
        assertThat(scene.nodeReserved()).isEqualTo(100);
    }

    @Test
    void aHeldPodThatIsObservedIsBound() {
        hold("H", 3000);
        scene.pod("H", cpu(2800));
        scene.after(Duration.ofHours(1)).run(new LedgerCommand.Tick());

        assertThat(scene.nodeReserved()).isEqualTo(2800);
    }

    @Test
    void aHoldIsChargedByItsFactor() {
        scene.fillTo(9_000);

        assertThat(scene.run(
                        new LedgerCommand.Hold(Scene.reservation("H", "", cpu(2000), new Overcommit(2000, 1000)), TTL)))
                .isInstanceOf(HoldReply.Held.class);
        assertThat(scene.nodeReserved()).isEqualTo(10_000);
    }

    @Test
    void nothingIsHeldOnANodeThatIsNotComplete() {
        var fresh = Scene.withRules(0.8);

        assertThat(fresh.run(new LedgerCommand.Hold(reservation("H", 1), TTL)))
                .isEqualTo(new HoldReply.NotReady(NotReadyCause.NODE_UNKNOWN));
    }

    @Test
    void aPodThatIsBoundOrGoneIsNotHeldAgain() {
        scene.pod("P", cpu(100));
        assertThat(hold("P", 3000)).isEqualTo(new HoldReply.Bound());
        scene.podGone("P");
        assertThat(hold("P", 3000)).isEqualTo(new HoldReply.Gone());
        assertThat(scene.run(new LedgerCommand.Bind(reservation("P", 1)))).isEqualTo(new HoldReply.Gone());
        assertThat(scene.nodeReserved()).isZero();
    }

    private static NewReservation reservation(String pod, long milliCpu) {
        return Scene.reservation(pod, "", cpu(milliCpu), Overcommit.OFF);
    }

    private HoldReply hold(String pod, long milliCpu) {
        return scene.run(new LedgerCommand.Hold(reservation(pod, milliCpu), TTL));
    }

    private HoldReply confirm(String pod) {
        return scene.run(new LedgerCommand.Confirm(pod));
    }

    private HoldReply release(String pod) {
        return scene.run(new LedgerCommand.Release(pod));
    }

    @Test
    void aLateCopyOfAHoldThatWasReleasedHoldsNothing() {
        scene.holdFor("m", cpu(3000), TTL, "first");
        scene.run(releaseOf("first"));

        assertThat(scene.holdFor("m", cpu(3000), TTL, "first")).isEqualTo(new HoldReply.AttemptOver());
        assertThat(scene.nodeReserved()).isZero();
        assertThat(scene.holdFor("m", cpu(3000), TTL, "second")).isEqualTo(new HoldReply.Held(TTL));
    }

    /** A loss of state takes the memory of releases with it: what was decided on the lost state holds nothing. */
    @Test
    void aHoldThatArrivesAfterItsReleaseAndALossHoldsNothing() {
        var late = knowing(scene.state.fullList().completedAt());
        assertThat(scene.run(releaseOf("first"))).isEqualTo(new HoldReply.Released());
        var afterTheLoss = Scene.loadedAfter(Duration.ofSeconds(20));
        var present = afterTheLoss.state.fullList().completedAt();

        assertThat(afterTheLoss.run(late)).isEqualTo(new HoldReply.StateReplaced(present.orElseThrow()));
        assertThat(afterTheLoss.nodeReserved()).isZero();

        assertThat(afterTheLoss.run(knowing(present)))
                .as("a sender that still needs it")
                .isEqualTo(new HoldReply.Held(TTL));
        assertThat(afterTheLoss.run(late)).as("what is held stays").isEqualTo(new HoldReply.Held(TTL));
    }

    @Test
    void aHoldThatNamesNoStateStandsUntilItsTimeIsOver() {
        assertThat(scene.run(knowing(Optional.empty()))).isEqualTo(new HoldReply.Held(TTL));
        scene.after(TTL).run(new LedgerCommand.Tick());
        assertThat(scene.nodeReserved()).isZero();
    }

    private static LedgerCommand.Hold knowing(Optional<Instant> state) {
        return new LedgerCommand.Hold(
                new HoldRoom(Scene.NODE, "m", "ns", "m", "", cpu(3000), Overcommit.OFF, TTL, "first").knowing(state));
    }

    @Test
    void aReleaseThatOvertakesItsHoldIsRemembered() {
        assertThat(scene.run(releaseOf("first"))).isEqualTo(new HoldReply.Released());

        assertThat(scene.holdFor("m", cpu(3000), TTL, "first")).isEqualTo(new HoldReply.AttemptOver());
    }

    @Test
    void aReleaseOfAnEarlierAttemptFreesNothingOfALaterOne() {
        scene.holdFor("m", cpu(3000), TTL, "first");
        scene.run(releaseOf("first"));
        scene.holdFor("m", cpu(2000), TTL, "second");

        assertThat(scene.run(releaseOf("first"))).as("a late copy").isEqualTo(new HoldReply.Released());
        assertThat(scene.nodeReserved()).isEqualTo(2000);
    }

    @Test
    void roomThatIsHeldForOneAttemptIsNotAnotherOnes() {
        scene.holdFor("m", cpu(3000), TTL, "first");

        assertThat(scene.holdFor("m", cpu(2000), TTL, "second")).isEqualTo(new HoldReply.OfAnother("first"));
        assertThat(scene.nodeReserved()).isEqualTo(3000);
        scene.after(TTL).run(new LedgerCommand.Tick());
        assertThat(scene.holdFor("m", cpu(2000), TTL, "second")).isEqualTo(new HoldReply.Held(TTL));
        assertThat(scene.holdFor("m", cpu(3000), TTL, "first"))
                .as("a copy of one that expired")
                .isEqualTo(new HoldReply.OfAnother("second"));
    }

    @Test
    void attemptsAreRememberedForAnHourAndNoMoreThanAreKept() {
        scene.run(releaseOf("first"));
        scene.after(Duration.ofHours(1)).run(releaseOf("second"));
        assertThat(scene.state.gone().attempts()).containsOnlyKeys("first", "second");
        scene.after(Duration.ofSeconds(1)).run(releaseOf("third"));
        assertThat(scene.state.gone().attempts()).containsOnlyKeys("second", "third");

        for (int i = 0; i < Tombstones.ATTEMPTS_MAX; i++) {
            scene.after(Duration.ofMillis(1)).run(releaseOf("attempt-" + i));
        }
        assertThat(scene.state.gone().attempts())
                .hasSize(Tombstones.ATTEMPTS_MAX)
                .doesNotContainKeys("second", "third");
    }

    private static LedgerCommand<HoldReply> releaseOf(String attempt) {
        return new LedgerCommand.Release(HoldRoom.forMigration("ns", "m"), attempt);
    }
}
