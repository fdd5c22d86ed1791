package io.sluice.placement.core.utilisation;

import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What is in use of one GPU, in percent. A part that is not known costs the device its score: it never counts as idle.
 *
 * @param model as the device names itself
 * @param memoryMib its memory
 * @param memory of its memory
 * @param busy the highest share of time in which it computed
 * @param bandwidth the highest share of its memory's bandwidth
 */
public record DeviceUse(
        String model, long memoryMib, OptionalDouble memory, OptionalDouble busy, OptionalDouble bandwidth) {
    private static final double OF_MEMORY = 0.5;
    private static final double OF_BUSY = 0.3;
    private static final double OF_BANDWIDTH = 0.2;
    private static final double ALL = 100;

    public DeviceUse {
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(busy, "busy");
        Objects.requireNonNull(bandwidth, "bandwidth");
    }

    /** All parts together; where one is not known, all of the device is in use. */
    public double percent() {
        return memory.isEmpty() || busy.isEmpty() || bandwidth.isEmpty()
                ? ALL
                : OF_MEMORY * memory.getAsDouble()
                        + OF_BUSY * busy.getAsDouble()
                        + OF_BANDWIDTH * bandwidth.getAsDouble();
    }

    /** The same of which nothing is known but what it is. */
    DeviceUse unknown() {
        return new DeviceUse(model, memoryMib, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
    }

    /** Whether no memory is left; unknown counts as not full. */
    boolean isFull() {
        return memory.orElse(0) >= ALL;
    }
}
