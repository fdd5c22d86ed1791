package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MajorityCheckTest {
    private static final UUID A = new UUID(0, 1);
    private static final UUID B = new UUID(0, 2);
    private static final List<UUID> OTHERS = List.of(A, B);

    private final MajorityCheck majority = new MajorityCheck(3);

    private static long seconds(long count) {
        return Duration.ofSeconds(count).toNanos();
    }

    @Test
    void aMemberThatReceivedNoReplyYetHasNone() {
        assertThat(majority.holds(OTHERS, 0)).isFalse();
    }

    @Test
    void oneOfTwoOthersIsEnoughOfThree() {
        majority.contacted(A, seconds(1));

        assertThat(majority.holds(OTHERS, seconds(3))).isTrue();
        assertThat(majority.holds(OTHERS, seconds(3) + 1)).isFalse();
    }

    @Test
    @DisplayName("F7: a probe's answer counts from when its request was sent, however late it arrives")
    void aReplyCountsFromWhenItsRequestWasSentHoweverLateItComes() {
        majority.contacted(A, seconds(1));
        majority.contacted(B, seconds(2));

        assertThat(majority.holds(OTHERS, seconds(30))).isFalse();
    }

    @Test
    void anAnswerThatWasOvertakenTakesNothingBack() {
        majority.contacted(A, seconds(5));
        majority.contacted(A, seconds(1));

        assertThat(majority.holds(OTHERS, seconds(6))).isTrue();
    }

    @Test
    void aNonMemberDoesNotCountAndCountsAnewOnlyByAReplyAfterItsReturn() {
        majority.contacted(A, seconds(1));

        assertThat(majority.holds(List.of(B), seconds(1))).isFalse();

        majority.forgetAllBut(List.of(B));
        assertThat(majority.holds(OTHERS, seconds(1))).isFalse();
    }

    @Test
    void twoOthersMakeAMajorityOfFive() {
        var five = new MajorityCheck(5);
        five.contacted(A, 0);

        assertThat(five.holds(OTHERS, 0)).isFalse();

        five.contacted(B, 0);
        assertThat(five.holds(OTHERS, 0)).isTrue();
    }

    @Test
    @DisplayName("F8: the majority check waits by the monotonic clock")
    void theMonotonicClockMayBeBelowZero() {
        majority.contacted(A, -seconds(1));

        assertThat(majority.holds(OTHERS, 0)).isTrue();
        assertThat(majority.holds(OTHERS, seconds(2))).isFalse();
    }
}
