package io.sluice.gateway.core;

/** The numbers that agents put into {@code protoVersion}, and their version names. */
final class ProtocolVersion {
    /** The oldest that is served. */
    static final long OLDEST = 5;

    /** The newest that is served. */
    static final long NEWEST = 7;

    private static final long COUNTS_BYTES = 6;
    private static final long NUMBER_MAX = 0xFFFF_FFFFL;
    private static final String[] NAMES = {"<invalid: zero>", "v1.0", "v1.1", "v2.0", "v2.1", "v3.0", "v4.0", "v5.0"};

    private ProtocolVersion() {}

    /** Whether the number fits the field at all. */
    static boolean isNumber(long number) {
        return number >= 0 && number <= NUMBER_MAX;
    }

    static boolean isServed(long number) {
        return number >= OLDEST && number <= NEWEST;
    }

    /** Whether a bare number of memory counts the VM's memory slots instead of bytes. */
    static boolean countsSlots(long number) {
        return number < COUNTS_BYTES;
    }

    static String name(long number) {
        return number < NAMES.length
                ? NAMES[(int) number]
                : "<unknown = " + name(NEWEST) + " + " + (number - NEWEST) + ">";
    }

    /** Returns why a version is not served; agents search for these words to find a version that is. */
    static String refusal(long number) {
        if (number == 0) {
            return "invalid protocol version " + name(0);
        }
        String served = name(OLDEST) + " to " + name(NEWEST);
        return "protocol version mismatch: need " + served + " but got " + name(number);
    }
}
