package io.sluice.billing.outbox;

import java.math.BigInteger;
import java.util.random.RandomGenerator;

/** Makes names of 22 characters from 128 random bits, without characters that look alike. */
final class ShortUuid {
    private static final String ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final BigInteger BASE = BigInteger.valueOf(ALPHABET.length());
    private static final int LENGTH = 22;
    private static final int BYTES = 16;

    private ShortUuid() {}

    static String next(RandomGenerator random) {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        // Sets the bits of a random UUID of RFC 9562.
        bytes[6] = (byte) (bytes[6] & 0x0f | 0x40);
        bytes[8] = (byte) (bytes[8] & 0x3f | 0x80);
        return of(new BigInteger(1, bytes));
    }

    static String of(BigInteger number) {
        var text = new StringBuilder(LENGTH);
        var rest = number;
        while (text.length() < LENGTH) {
            var parts = rest.divideAndRemainder(BASE);
            text.append(ALPHABET.charAt(parts[1].intValue()));
            rest = parts[0];
        }
        return text.reverse().toString();
    }
}
