package io.sluice.pods.core;

import java.time.Instant;
import java.util.Objects;

/**
 * One sample of a container by its kubelet.
 *
 * @param at when it was taken, by the kubelet's clock
 * @param cpuSeconds CPU time since its start
 * @param workingSetBytes memory that cannot be taken from it
 */
public record ContainerUse(Instant at, double cpuSeconds, long workingSetBytes) {
    public ContainerUse {
        Objects.requireNonNull(at, "at");
    }
}
