package io.sluice.placement.core;

import static io.sluice.placement.core.Given.cpus;
import static io.sluice.placement.core.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.placement.core.PlacementAttempt.Bind;
import io.sluice.placement.core.PlacementAttempt.End;
import io.sluice.placement.core.PlacementAttempt.Hold;
import io.sluice.placement.core.PlacementAttempt.Outcome;
import io.sluice.placement.core.PlacementAttempt.Touch;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlacementAttemptTest {
    private static final Bind BIND = new Bind(new BindPod("p", "ns", "p-name", "n1", 1));
    private static final Touch TOUCH = new Touch(new TouchPod("p", "ns", "p-name"));
    private static final ReleaseHold RELEASE = new ReleaseHold("n1", "p", "a");

    private final PlacementAttempt attempt = new PlacementAttempt(pod("p", 2), "n1", Optional.of("a"));

    @Test
    void holdsRoomWithoutAnEndInTimeBeforeItBinds() {
        var hold = ((Hold) attempt.begin()).request();

        assertThat(hold.amounts()).isEqualTo(cpus(2));
        assertThat(hold.ttl()).isEqualTo(HoldRoom.UNTIL_RELEASED);
        assertThat(attempt.held(Optional.of(new HoldReply.Held(HoldRoom.UNTIL_RELEASED))))
                .isEqualTo(BIND);
    }

    @Test
    void aTargetOfAMigrationTakesOverTheHoldThatIsThere() {
        var target = new PlacementAttempt(pod("p", 2), "n1", Optional.empty());

        assertThat(target.begin()).isEqualTo(BIND);
        assertThat(((End) target.bound(Optional.of(new PodBinding.Gone()))).release())
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource
    void bindsNothingWithoutAHold(Optional<HoldReply> reply, Outcome outcome, Optional<ReleaseHold> release) {
        var end = (End) attempt.held(reply);

        assertThat(end.outcome()).isEqualTo(outcome);
        assertThat(end.release()).isEqualTo(release);
        assertThat(end.reason()).isNotEmpty();
    }

    static Stream<Arguments> bindsNothingWithoutAHold() {
        return Stream.of(
                Arguments.of(Optional.empty(), Outcome.HOLD_LOST, Optional.of(RELEASE)),
                Arguments.of(
                        Optional.of(new HoldReply.NoRoom(cpus(1), cpus(9), cpus(10))),
                        Outcome.HOLD_REFUSED,
                        Optional.empty()),
                Arguments.of(Optional.of(new HoldReply.OfAnother("earlier")), Outcome.HOLD_REFUSED, Optional.empty()));
    }

    /** The room of a pod that may be bound stays held until it was touched. */
    @ParameterizedTest
    @MethodSource
    void aBindInDoubtIsSettledByATouch(Optional<PodBinding> reply) {
        assertThat(attempt.bound(reply)).isEqualTo(TOUCH);
    }

    static Stream<Optional<PodBinding>> aBindInDoubtIsSettledByATouch() {
        return Stream.of(Optional.empty(), Optional.of(new PodBinding.InDoubt("the Binding was answered 409")));
    }

    @ParameterizedTest
    @MethodSource
    void theHoldEndsOnlyIfThePodIsCertainlyNotBoundThere(PodBinding found, Outcome outcome, boolean released) {
        var end = attempt.touched(Optional.of(found));

        assertThat(end.outcome()).isEqualTo(outcome);
        assertThat(end.release()).isEqualTo(released ? Optional.of(RELEASE) : Optional.empty());
    }

    static Stream<Arguments> theHoldEndsOnlyIfThePodIsCertainlyNotBoundThere() {
        return Stream.of(
                Arguments.of(new PodBinding.Bound("n1"), Outcome.PLACED, false),
                Arguments.of(new PodBinding.Bound("n2"), Outcome.NOT_BOUND, true),
                Arguments.of(new PodBinding.Unbound(), Outcome.NOT_BOUND, true),
                Arguments.of(new PodBinding.Gone(), Outcome.NOT_BOUND, true),
                Arguments.of(new PodBinding.Refused("403"), Outcome.IN_DOUBT, false),
                Arguments.of(new PodBinding.InDoubt("503"), Outcome.IN_DOUBT, false));
    }
}
