package io.sluice.placement.core.utilisation;

import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A node as it is scored.
 *
 * @param node its name
 * @param total what it can give
 * @param used what is in use, with its newest pods that were not measured yet
 * @param peak the same at peaks
 * @param devices its GPUs as they were measured
 * @param newCards GPUs of its newest pods
 * @param age since it was measured
 * @param thresholds its own; empty where the common ones count
 * @param waiting as in {@link NodeMetrics}
 */
public record NodeLoad(
        String node,
        Resources total,
        Resources used,
        Resources peak,
        List<DeviceUse> devices,
        double newCards,
        Duration age,
        Optional<UtilisationRules.Thresholds> thresholds,
        OptionalDouble waiting) {
    /** The age of what was never measured. */
    public static final Duration NEVER = Duration.ofDays(365);

    public NodeLoad {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(total, "total");
        Objects.requireNonNull(used, "used");
        Objects.requireNonNull(peak, "peak");
        devices = List.copyOf(devices);
        Objects.requireNonNull(age, "age");
        Objects.requireNonNull(thresholds, "thresholds");
        Objects.requireNonNull(waiting, "waiting");
    }
}
