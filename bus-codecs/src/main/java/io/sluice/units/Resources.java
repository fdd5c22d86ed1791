package io.sluice.units;

/**
 * An amount of CPU and memory. Both are never negative: a difference stops at zero, and a sum that would overflow
 * throws.
 *
 * <p>Amounts are compared field by field; of two amounts each may be above the other in one field.
 *
 * @param milliCpu CPU in thousandths of a virtual CPU
 * @param memoryBytes memory in bytes
 */
public record Resources(long milliCpu, long memoryBytes) {
    /** Nothing of either kind. */
    public static final Resources NONE = new Resources(0, 0);

    public Resources {
        if (milliCpu < 0 || memoryBytes < 0) {
            throw new IllegalArgumentException("an amount is never negative: " + milliCpu + "m, " + memoryBytes + " B");
        }
    }

    /**
     * The sum.
     *
     * @throws ArithmeticException when a field would overflow
     */
    public Resources plus(Resources other) {
        return new Resources(Math.addExact(milliCpu, other.milliCpu), Math.addExact(memoryBytes, other.memoryBytes));
    }

    /** The difference, each field stopping at zero. */
    public Resources minus(Resources other) {
        return new Resources(Math.max(0, milliCpu - other.milliCpu), Math.max(0, memoryBytes - other.memoryBytes));
    }

    /**
     * This amount {@code factor} times.
     *
     * @throws ArithmeticException when a field would overflow
     */
    public Resources times(long factor) {
        return new Resources(Math.multiplyExact(milliCpu, factor), Math.multiplyExact(memoryBytes, factor));
    }

    /** The larger of both in each field. */
    public Resources max(Resources other) {
        return new Resources(Math.max(milliCpu, other.milliCpu), Math.max(memoryBytes, other.memoryBytes));
    }

    /** The smaller of both in each field. */
    public Resources min(Resources other) {
        return new Resources(Math.min(milliCpu, other.milliCpu), Math.min(memoryBytes, other.memoryBytes));
    }

    /** Whether some field is above the other's. */
    public boolean exceeds(Resources other) {
        return milliCpu > other.milliCpu || memoryBytes > other.memoryBytes;
    }

    /** Whether some field is zero. */
    public boolean hasZero() {
        return milliCpu == 0 || memoryBytes == 0;
    }

    /** This amount in one kind. */
    public long of(ResourceKind kind) {
        return switch (kind) {
            case CPU -> milliCpu;
            case MEMORY -> memoryBytes;
        };
    }
}
