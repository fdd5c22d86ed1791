package io.sluice.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;

class FixedAmountsTest {
    private static FixedAmounts of(Object... kindsAndAmounts) {
        var amounts = new HashMap<String, Long>();
        for (int i = 0; i < kindsAndAmounts.length; i += 2) {
            amounts.put((String) kindsAndAmounts[i], ((Number) kindsAndAmounts[i + 1]).longValue());
        }
        return FixedAmounts.of(amounts);
    }

    @Test
    void aKindThatIsNotThereIsZero() {
        assertThat(of("pods", 0)).isEqualTo(FixedAmounts.NONE);
        assertThat(of("pods", 1).of("gpu")).isZero();
        assertThat(of("pods", 1, "gpu", 2)).hasToString("gpu 2, pods 1");
        assertThat(of("gpu", 1).exceeds(of("pods", 9))).isTrue();
        assertThat(of("gpu", 1).exceeds(of("gpu", 1, "pods", 9))).isFalse();
    }

    @Test
    void refusesWhatIsNoAmount() {
        assertThatThrownBy(() -> of("gpu", -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gpu -1");
        assertThatThrownBy(() -> of("gpu", Long.MAX_VALUE).plus(of("gpu", 1))).isInstanceOf(ArithmeticException.class);
    }

    /** Against maps: sums, differences, the larger and the smaller amounts of any two. */
    @Test
    void computesKindByKind() {
        var random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            var one = some(random);
            var other = some(random);
            assertThat(one.plus(other)).isEqualTo(each(one, other, Long::sum));
            assertThat(one.minus(other)).isEqualTo(each(one, other, (mine, its) -> Math.max(0, mine - its)));
            assertThat(one.max(other)).isEqualTo(each(one, other, Math::max));
            assertThat(one.min(other)).isEqualTo(each(one, other, Math::min));
            assertThat(one.plus(other)).hasSameHashCodeAs(other.plus(one));
        }
    }

    private static FixedAmounts some(Random random) {
        var amounts = new HashMap<String, Long>();
        for (int kind = random.nextInt(5); kind > 0; kind--) {
            amounts.put("kind-" + random.nextInt(6), (long) random.nextInt(4));
        }
        return FixedAmounts.of(amounts);
    }

    private static FixedAmounts each(FixedAmounts one, FixedAmounts other, LongBinaryOperator operator) {
        var kinds = new TreeSet<>(one.byKind().keySet());
        kinds.addAll(other.byKind().keySet());
        Map<String, Long> amounts = new HashMap<>();
        kinds.forEach(kind -> amounts.put(kind, operator.applyAsLong(one.of(kind), other.of(kind))));
        return FixedAmounts.of(amounts);
    }
}
