package io.sluice.simulation.engine;

/**
 * The random numbers of one place. They depend on the seed, the place's name and the number of draws, and on nothing
 * that happens elsewhere. So leaving out one fault changes only what follows from that fault.
 */
public class Chance {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final String name;
    private final long salt;
    private long drawn;

    /** The random numbers of that place in the history of that seed. */
    public Chance(long seed, String name) {
        this.name = name;
        this.salt = mix(seed * GOLDEN + hash(name));
    }

    /** The name of the place. */
    public final String name() {
        return name;
    }

    /** The number of draws so far. */
    public final long drawn() {
        return drawn;
    }

    /** Draws 64 bits. */
    public final long next() {
        return mix(salt + ++drawn * GOLDEN);
    }

    /** Draws from 0 to below {@code bound}. */
    public final long below(long bound) {
        return bound <= 1 ? 0 : Math.floorMod(next() >>> 1, bound);
    }

    /** Draws from 0 to below {@code bound}. */
    public final int below(int bound) {
        return (int) below((long) bound);
    }

    /** Draws true once in that many times. */
    public final boolean oneIn(int many) {
        return below(many) == 0;
    }

    /** Draws from 0 to below 1. */
    public final double share() {
        return (next() >>> 11) * 0x1.0p-53;
    }

    /** Mixes the bits. */
    static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static long hash(String text) {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
        }
        return hash;
    }
}
