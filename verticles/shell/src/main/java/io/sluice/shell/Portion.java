package io.sluice.shell;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/** A part of a whole: a fixed amount of it or a share. */
public sealed interface Portion {
    /** Nothing of it. */
    Portion NOTHING = new Amount(0);

    /** The part of the given whole, rounded up; it may be more than the whole. */
    long of(long whole);

    /**
     * A fixed amount.
     *
     * @param amount in the unit of the whole
     */
    record Amount(long amount) implements Portion {
        public Amount {
            if (amount < 0) {
                throw new IllegalArgumentException("an amount is never negative: " + amount);
            }
        }

        @Override
        public long of(long whole) {
            return amount;
        }
    }

    /**
     * A share of the whole.
     *
     * @param millionths of it, from 0 to a million
     */
    record Share(int millionths) implements Portion {
        private static final int WHOLE = 1_000_000;
        private static final int PERCENT_POINTS = 4;
        private static final Pattern TEXT = Pattern.compile("\\d{1,3}(\\.\\d{1," + PERCENT_POINTS + "})?%");

        public Share {
            if (millionths < 0 || millionths > WHOLE) {
                throw new IllegalArgumentException("a share is from 0% to 100%");
            }
        }

        /**
         * Parses {@code 20%} or {@code 12.5%}.
         *
         * @throws IllegalArgumentException when it is no such text, or above 100%
         */
        public static Share parse(String text) {
            if (!TEXT.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "a share is a number of at most " + PERCENT_POINTS + " decimal places, then %: " + text);
            }
            var percent = new BigDecimal(text.substring(0, text.length() - 1));
            return new Share(percent.movePointRight(PERCENT_POINTS).intValueExact());
        }

        /** Computed in two parts, so that nothing overflows. */
        @Override
        public long of(long whole) {
            long rest = whole % WHOLE * millionths;
            return whole / WHOLE * millionths + (rest + WHOLE - 1) / WHOLE;
        }

        @Override
        public String toString() {
            return BigDecimal.valueOf(millionths, PERCENT_POINTS)
                            .stripTrailingZeros()
                            .toPlainString() + "%";
        }
    }
}
