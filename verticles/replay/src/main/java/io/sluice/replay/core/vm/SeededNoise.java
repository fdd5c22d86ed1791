package io.sluice.replay.core.vm;

/** Noise that depends only on a seed and on the number of a draw: the same in each replay, whatever its order. */
final class SeededNoise {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1.0p-53;

    private final long seed;

    SeededNoise(long seed, String name) {
        this.seed = mixed(seed * GOLDEN_GAMMA + name.hashCode());
    }

    /** Between 0 and 1. */
    double share(long draw) {
        return (mixed(seed + draw * GOLDEN_GAMMA) >>> 11) * UNIT;
    }

    /** Between -1 and 1, with a mean of 0 and a deviation of 0.41: the sum of two draws. */
    double around(long draw) {
        return share(2 * draw) + share(2 * draw + 1) - 1;
    }

    /** The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
    private static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
