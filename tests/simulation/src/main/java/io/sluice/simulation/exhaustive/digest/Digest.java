package io.sluice.simulation.exhaustive.digest;

/**
 * A digest of 128 bits over a sequence of numbers: long enough that no two states of a run have the same one by chance.
 */
public final class Digest {
    private static final long ODD_1 = 0x9E3779B97F4A7C15L;
    private static final long ODD_2 = 0xC2B2AE3D27D4EB4FL;
    private static final int TURN_1 = 29;
    private static final int TURN_2 = 31;

    private long high = ODD_2;
    private long low = ODD_1;

    public void add(long number) {
        high = Long.rotateLeft(high ^ mixed(number + ODD_1), TURN_1) * ODD_1 + low;
        low = Long.rotateLeft(low + mixed(number ^ ODD_2), TURN_2) * ODD_2 ^ high;
    }

    void add(CharSequence text) {
        add(text.length());
        for (int i = 0; i < text.length(); i++) {
            add(text.charAt(i));
        }
    }

    public long high() {
        return mixed(high + low);
    }

    public long low() {
        return mixed(low ^ Long.rotateLeft(high, TURN_2));
    }

    private static long mixed(long number) {
        long z = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
