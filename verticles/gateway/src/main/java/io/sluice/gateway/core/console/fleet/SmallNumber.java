package io.sluice.gateway.core.console.fleet;

/**
 * Numbers of a chart in 16 bits: an exponent and as many leading digits as fit. Usual sizes of VMs (thousandths of a
 * CPU, memory in powers of two) are kept exactly; everything else to three digits.
 */
enum SmallNumber {
    /** CPU in thousandths. */
    MILLI_CPU(10, 1, 3),
    /** Memory in bytes, kept in MiB. */
    BYTES(2, 1 << 20, 4),
    /** A load in hundredths. */
    HUNDREDTHS(10, 1, 3);

    /** No value. */
    static final short NONE = (short) 0xffff;

    private final int base;
    private final long step;
    private final int exponentBits;

    SmallNumber(int base, long step, int exponentBits) {
        this.base = base;
        this.step = step;
        this.exponentBits = exponentBits;
    }

    /** Encodes a number as the nearest that fits; what is too large becomes the largest. */
    short keep(long value) {
        int digitBits = Short.SIZE - exponentBits;
        long digitsMax = (1L << digitBits) - 2;
        long digits = (Math.max(0, value) + step / 2) / step;
        int exponent = 0;
        int exponentMax = (1 << exponentBits) - 1;
        while (digits > digitsMax && exponent < exponentMax) {
            digits = (digits + base / 2) / base;
            exponent++;
        }
        return (short) (exponent << digitBits | Math.min(digits, digitsMax));
    }

    /** Decodes a number; not defined for {@link #NONE}. */
    long read(short kept) {
        int digitBits = Short.SIZE - exponentBits;
        int bits = Short.toUnsignedInt(kept);
        long value = bits & (1 << digitBits) - 1;
        for (int exponent = bits >>> digitBits; exponent > 0; exponent--) {
            value *= base;
        }
        return value * step;
    }
}
