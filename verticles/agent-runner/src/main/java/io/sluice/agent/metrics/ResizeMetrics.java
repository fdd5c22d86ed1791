package io.sluice.agent.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.units.Resources;

/**
 * Two counters of requested or applied changes of size: CPU in cores and memory in MiB, increases and decreases apart.
 */
final class ResizeMetrics {
    static final String DIRECTION = "direction";
    static final String UP = "inc";
    static final String DOWN = "dec";

    private static final double MILLIS = 1_000;
    private static final double MEBI = 1L << 20;

    private final Counter cpuUp;
    private final Counter cpuDown;
    private final Counter memoryUp;
    private final Counter memoryDown;

    /** {@code what}: what is counted, as the beginning of a sentence. */
    ResizeMetrics(MeterRegistry meters, String cpuName, String memoryName, String what) {
        cpuUp = counter(meters, cpuName, what + ", CPU in cores", UP);
        cpuDown = counter(meters, cpuName, what + ", CPU in cores", DOWN);
        memoryUp = counter(meters, memoryName, what + ", memory in MiB", UP);
        memoryDown = counter(meters, memoryName, what + ", memory in MiB", DOWN);
    }

    static Counter counter(MeterRegistry meters, String name, String description, String direction) {
        return Counter.builder(name)
                .description(description)
                .tag(DIRECTION, direction)
                .register(meters);
    }

    void record(Resources from, Resources to) {
        var more = to.minus(from);
        var less = from.minus(to);
        cpuUp.increment(more.milliCpu() / MILLIS);
        cpuDown.increment(less.milliCpu() / MILLIS);
        memoryUp.increment(more.memoryBytes() / MEBI);
        memoryDown.increment(less.memoryBytes() / MEBI);
    }
}
