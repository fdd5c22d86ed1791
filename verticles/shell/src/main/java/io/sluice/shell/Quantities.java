package io.sluice.shell;

import io.fabric8.kubernetes.api.model.Quantity;
import io.sluice.units.Resources;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Parses and formats amounts in Kubernetes' notation: {@code 250m} of CPU, {@code 4Gi} of memory. */
public final class Quantities {
    private static final long KIBI = 1024;
    private static final String[] BINARY_SUFFIXES = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    private static final int LENGTH_MAX = 64;
    private static final int PLAIN_DIGITS_MAX = 15;
    private static final int EXPONENT_MAX = 30;

    private Quantities() {}

    /**
     * CPU in milli-CPU; a smaller fraction is rounded up, as in Kubernetes.
     *
     * @throws IllegalArgumentException when the text is no quantity, negative, or beyond 64 bits
     */
    public static long milliCpu(String text) {
        int digits = plainDigits(text);
        if (digits > 0 && digits == text.length()) {
            return 1000 * digits(text, digits);
        }
        if (digits > 0 && digits == text.length() - 1 && text.charAt(digits) == 'm') {
            return digits(text, digits);
        }
        return whole(text, amount(text).movePointRight(3));
    }

    /**
     * Memory in bytes; a fraction is rounded up.
     *
     * @throws IllegalArgumentException when the text is no quantity, negative, or beyond 64 bits
     */
    public static long bytes(String text) {
        int digits = plainDigits(text);
        if (digits > 0 && digits == text.length()) {
            return digits(text, digits);
        }
        if (digits > 0 && digits == text.length() - 2 && text.charAt(digits + 1) == 'i') {
            int power = "KMGT".indexOf(text.charAt(digits)) + 1;
            if (power > 0 && digits <= 6) {
                return digits(text, digits) << (10 * power);
            }
        }
        return whole(text, amount(text));
    }

    /** How many digits the text begins with; 0 if they are too many to add up without an overflow check. */
    private static int plainDigits(String text) {
        int length = 0;
        while (length < text.length() && text.charAt(length) >= '0' && text.charAt(length) <= '9') {
            length++;
        }
        return length > PLAIN_DIGITS_MAX ? 0 : length;
    }

    private static long digits(String text, int length) {
        return Long.parseLong(text, 0, length, 10);
    }

    /** CPU as the shortest text: {@code 2}, or {@code 250m} where it is no whole number. */
    public static String cpuText(long milliCpu) {
        return milliCpu % 1000 == 0 ? Long.toString(milliCpu / 1000) : milliCpu + "m";
    }

    /** Memory with the largest binary suffix that leaves a whole number: {@code 4Gi}; a bare number below 1024. */
    public static String memoryText(long bytes) {
        long rest = bytes;
        int suffix = 0;
        while (rest != 0 && rest % KIBI == 0 && suffix < BINARY_SUFFIXES.length - 1) {
            rest /= KIBI;
            suffix++;
        }
        return rest + BINARY_SUFFIXES[suffix];
    }

    /** Both kinds in a readable form: {@code 1500m/6Gi}. */
    public static String text(Resources amount) {
        return cpuText(amount.milliCpu()) + "/" + memoryText(amount.memoryBytes());
    }

    private static BigDecimal amount(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "a quantity has at most " + LENGTH_MAX + " characters, not " + text.length());
        }
        try {
            var number = Quantity.parse(text).getNumericalAmount();
            // Checked by the number of digits alone: to write out a number with a huge exponent would take very long.
            if (Math.abs((long) number.precision() - number.scale()) > EXPONENT_MAX) {
                throw new IllegalArgumentException("a quantity beyond 64 bits: " + text);
            }
            return number;
        } catch (NumberFormatException | ArithmeticException notANumber) {
            throw new IllegalArgumentException("not a quantity: " + text, notANumber);
        }
    }

    private static long whole(String text, BigDecimal amount) {
        if (amount.signum() < 0) {
            throw new IllegalArgumentException("a quantity is never negative here: " + text);
        }
        try {
            return amount.setScale(0, RoundingMode.CEILING).longValueExact();
        } catch (ArithmeticException tooLarge) {
            throw new IllegalArgumentException("a quantity beyond 64 bits: " + text, tooLarge);
        }
    }
}
