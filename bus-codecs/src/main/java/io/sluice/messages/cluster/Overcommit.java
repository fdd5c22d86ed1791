package io.sluice.messages.cluster;

/**
 * The factor by which a pod's amounts are divided before they are charged to its node.
 *
 * @param cpuMilli factor for CPU in thousandths; 1000 divides by one
 * @param memoryMilli factor for memory in thousandths
 */
public record Overcommit(long cpuMilli, long memoryMilli) {
    /** Every unit is charged in full. */
    public static final Overcommit OFF = new Overcommit(1000, 1000);

    public Overcommit {
        if (cpuMilli < 1 || memoryMilli < 1) {
            throw new IllegalArgumentException("an overcommit factor is above zero: " + cpuMilli + ", " + memoryMilli);
        }
    }
}
