package io.sluice.messages.cluster;

import java.util.Objects;
import java.util.Optional;

/**
 * Scaling config from a VM's annotation; an empty field means the agent's default.
 *
 * @param loadAverageFractionTarget share of the CPUs that the load should fill
 * @param memoryUsageFractionTarget share of the memory that its use should fill
 * @param memoryTotalFractionTarget share of the memory that use and cache together should fill
 * @param enableLfcMetrics whether the file cache's metrics are read
 * @param lfcUseLargestWindow whether the working set is simply the last window
 * @param lfcToMemoryRatio share of the memory that the file cache may take
 * @param lfcMinWaitBeforeDownscaleMinutes the first window that the working set is read from, plus one
 * @param lfcWindowSizeMinutes how many windows the estimate spans
 * @param cpuStableZoneRatio share of load5: within it, load5 alone counts
 * @param cpuMixedZoneRatio share of load5: beyond the stable zone and this, load1 alone counts
 */
public record ScalingOverrides(
        Optional<Double> loadAverageFractionTarget,
        Optional<Double> memoryUsageFractionTarget,
        Optional<Double> memoryTotalFractionTarget,
        Optional<Boolean> enableLfcMetrics,
        Optional<Boolean> lfcUseLargestWindow,
        Optional<Double> lfcToMemoryRatio,
        Optional<Integer> lfcMinWaitBeforeDownscaleMinutes,
        Optional<Integer> lfcWindowSizeMinutes,
        Optional<Double> cpuStableZoneRatio,
        Optional<Double> cpuMixedZoneRatio) {
    /** Nothing is overridden. */
    public static final ScalingOverrides NONE = new ScalingOverrides(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    public ScalingOverrides {
        Objects.requireNonNull(loadAverageFractionTarget, "loadAverageFractionTarget");
        Objects.requireNonNull(memoryUsageFractionTarget, "memoryUsageFractionTarget");
        Objects.requireNonNull(memoryTotalFractionTarget, "memoryTotalFractionTarget");
        Objects.requireNonNull(enableLfcMetrics, "enableLfcMetrics");
        Objects.requireNonNull(lfcUseLargestWindow, "lfcUseLargestWindow");
        Objects.requireNonNull(lfcToMemoryRatio, "lfcToMemoryRatio");
        Objects.requireNonNull(lfcMinWaitBeforeDownscaleMinutes, "lfcMinWaitBeforeDownscaleMinutes");
        Objects.requireNonNull(lfcWindowSizeMinutes, "lfcWindowSizeMinutes");
        Objects.requireNonNull(cpuStableZoneRatio, "cpuStableZoneRatio");
        Objects.requireNonNull(cpuMixedZoneRatio, "cpuMixedZoneRatio");
    }
}
