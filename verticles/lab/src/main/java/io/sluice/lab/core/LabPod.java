package io.sluice.lab.core;

import java.time.Duration;
import java.util.Objects;

/**
 * An ordinary pod of the fleet, in namespace {@code default}, that is scaled in place. It has one container, whose
 * requests are its limits.
 *
 * @param name its name
 * @param node the node on which it runs
 * @param series the recorded CPU use that it replays
 * @param offset where in the series it begins
 * @param vCpus the CPU that 100 % of the series means
 * @param sizes its bounds and initial size
 */
public record LabPod(String name, String node, String series, Duration offset, double vCpus, LabVmSizes sizes) {
    public LabPod {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(sizes, "sizes");
    }
}
