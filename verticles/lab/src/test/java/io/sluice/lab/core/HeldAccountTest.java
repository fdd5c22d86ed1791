package io.sluice.lab.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HeldAccountTest {
    private static final Instant T = Instant.parse("2026-03-01T00:00:00Z");
    private final HeldAccount account = new HeldAccount();

    private static Instant at(long seconds) {
        return T.plusSeconds(seconds);
    }

    private static BigInteger cpuSeconds(long seconds) {
        return BigInteger.valueOf(seconds).multiply(BigInteger.valueOf(1_000_000_000_000L));
    }

    @Test
    void addsUpPieceByPiece() {
        account.has("db", OptionalLong.of(1_000), at(10));
        account.has("db", OptionalLong.of(3_000), at(20));
        account.has("db", OptionalLong.empty(), at(30));

        assertThat(account.held("db", at(0), at(40))).contains(cpuSeconds(10 + 30));
        assertThat(account.held("db", at(15), at(25))).contains(cpuSeconds(5 + 15));
        assertThat(account.held("db", at(30), at(99))).contains(BigInteger.ZERO);
    }

    @Test
    void hasNothingOfAVmThatNeverWas() {
        assertThat(account.held("db", at(0), at(1))).isEmpty();
    }

    @Test
    void doesNotGuessAtWhatItHasForgotten() {
        for (int second = 0; second < 20_010; second++) {
            account.has("db", OptionalLong.of(second), at(second));
        }
        assertThat(account.held("db", at(5), at(20_005))).isEmpty();
        assertThat(account.held("db", at(20_000), at(20_001)))
                .contains(BigInteger.valueOf(20_000).multiply(BigInteger.valueOf(1_000_000_000)));
    }

    @Test
    void aChangeMayCountASecondEarlyOrLate() {
        account.has("db", OptionalLong.of(1_000), at(0));
        account.has("db", OptionalLong.of(3_000), at(10));

        assertThat(account.vms()).containsExactly("db");
        assertThat(account.tolerance("db", at(11), at(20)))
                .isEqualTo(BigInteger.valueOf(2_000).multiply(BigInteger.TEN.pow(9)));
        assertThat(account.tolerance("db", at(12), at(20))).isZero();
    }
}
