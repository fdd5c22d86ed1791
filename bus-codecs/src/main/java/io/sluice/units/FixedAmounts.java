package io.sluice.units;

import java.util.Arrays;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import java.util.function.Predicate;

/**
 * Amounts of the kinds that no running pod gets more or less of: its place among a node's pods, extended resources,
 * huge pages, ephemeral storage. Kinds have the names that Kubernetes gives them, amounts are in the kind's own unit. A
 * kind that is not there has an amount of zero.
 */
public final class FixedAmounts {
    /** The kind of which each pod takes one. */
    public static final String PODS = "pods";

    /** Nothing of any kind. */
    public static final FixedAmounts NONE = new FixedAmounts(new String[0], new long[0]);

    private final String[] kinds;
    private final long[] amounts;

    private FixedAmounts(String[] kinds, long[] amounts) {
        this.kinds = kinds;
        this.amounts = amounts;
    }

    /**
     * Amounts by kind.
     *
     * @throws IllegalArgumentException if one is negative
     */
    public static FixedAmounts of(Map<String, Long> amounts) {
        var sorted = new TreeMap<>(amounts);
        sorted.values().removeIf(amount -> amount == 0);
        if (sorted.isEmpty()) {
            return NONE;
        }
        sorted.forEach((kind, amount) -> {
            if (amount < 0) {
                throw new IllegalArgumentException("an amount is never negative: " + kind + " " + amount);
            }
        });
        return new FixedAmounts(
                sorted.keySet().toArray(String[]::new),
                sorted.values().stream().mapToLong(Long::longValue).toArray());
    }

    /**
     * The sum.
     *
     * @throws ArithmeticException when an amount would overflow
     */
    public FixedAmounts plus(FixedAmounts other) {
        if (isNone()) {
            return other;
        }
        return other.isNone() ? this : merged(other, Math::addExact);
    }

    /** The difference; each amount stops at zero. */
    public FixedAmounts minus(FixedAmounts other) {
        return isNone() || other.isNone() ? this : merged(other, (mine, its) -> Math.max(0, mine - its));
    }

    /**
     * What a node lacks for these amounts. Only the kinds that are requested count: a node that has too little of
     * another kind can take them.
     *
     * @throws ArithmeticException when a sum would overflow
     */
    public FixedAmounts shortOn(FixedAmounts total, FixedAmounts reserved) {
        var lacks = new TreeMap<String, Long>();
        for (int i = 0; i < kinds.length; i++) {
            long missing = Math.addExact(reserved.of(kinds[i]), amounts[i]) - total.of(kinds[i]);
            if (missing > 0) {
                lacks.put(kinds[i], missing);
            }
        }
        return lacks.isEmpty() ? NONE : of(lacks);
    }

    /** The larger amount of each kind. */
    public FixedAmounts max(FixedAmounts other) {
        return merged(other, Math::max);
    }

    /** The smaller amount of each kind that both have. */
    public FixedAmounts min(FixedAmounts other) {
        return merged(other, Math::min);
    }

    /** The amounts of some kinds alone. */
    public FixedAmounts only(Predicate<String> wanted) {
        int count = 0;
        var names = new String[kinds.length];
        var values = new long[kinds.length];
        for (int i = 0; i < kinds.length; i++) {
            if (wanted.test(kinds[i])) {
                names[count] = kinds[i];
                values[count++] = amounts[i];
            }
        }
        if (count == kinds.length) {
            return this;
        }
        return count == 0 ? NONE : new FixedAmounts(Arrays.copyOf(names, count), Arrays.copyOf(values, count));
    }

    /** Whether some amount is above the other's. */
    public boolean exceeds(FixedAmounts other) {
        return !minus(other).isNone();
    }

    public boolean isNone() {
        return kinds.length == 0;
    }

    /** The amount of one kind. */
    public long of(String kind) {
        int at = Arrays.binarySearch(kinds, kind);
        return at < 0 ? 0 : amounts[at];
    }

    /** The amounts above zero, sorted by kind. */
    public Map<String, Long> byKind() {
        var sorted = new TreeMap<String, Long>();
        for (int i = 0; i < kinds.length; i++) {
            sorted.put(kinds[i], amounts[i]);
        }
        return sorted;
    }

    private FixedAmounts merged(FixedAmounts other, LongBinaryOperator operator) {
        var names = new String[kinds.length + other.kinds.length];
        var values = new long[names.length];
        int count = 0;
        int mine = 0;
        int its = 0;
        while (mine < kinds.length || its < other.kinds.length) {
            int order =
                    mine == kinds.length ? 1 : its == other.kinds.length ? -1 : kinds[mine].compareTo(other.kinds[its]);
            names[count] = order <= 0 ? kinds[mine] : other.kinds[its];
            values[count] =
                    operator.applyAsLong(order <= 0 ? amounts[mine++] : 0, order >= 0 ? other.amounts[its++] : 0);
            count += values[count] == 0 ? 0 : 1;
        }
        return count == 0 ? NONE : new FixedAmounts(Arrays.copyOf(names, count), Arrays.copyOf(values, count));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FixedAmounts amountsOf
                && Arrays.equals(kinds, amountsOf.kinds)
                && Arrays.equals(amounts, amountsOf.amounts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(kinds) + Arrays.hashCode(amounts);
    }

    /** The amounts, such as {@code nvidia.com/gpu 1, pods 1}. */
    @Override
    public String toString() {
        var text = new StringJoiner(", ");
        byKind().forEach((kind, amount) -> text.add(kind + " " + amount));
        return text.toString();
    }
}
