package io.sluice.agent.core.scaling;

import io.sluice.messages.cluster.ScalingOverrides;

/**
 * How a VM's metrics become a goal. A target of 0 is allowed: it makes the goal as large as can be, or 0 without load.
 *
 * @param loadAverageFractionTarget the share of the CPUs that the load should fill; below 2
 * @param memoryUsageFractionTarget the share of the memory that its use should fill; below 1
 * @param memoryTotalFractionTarget the share of the memory that use and page cache together should fill; below 1
 * @param enableLfcMetrics whether a goal needs the file cache's metrics to be complete
 * @param lfcUseLargestWindow whether the working set is simply that of the last window
 * @param lfcToMemoryRatio the share of the memory that the file cache may take
 * @param lfcMinWaitBeforeDownscaleMinutes the first window from which the working set is read, plus one
 * @param lfcWindowSizeMinutes the number of windows that the estimate of the working set spans
 * @param cpuStableZoneRatio the stable zone's width as a share of load5: while load1 is within it, only load5 counts
 * @param cpuMixedZoneRatio the mixed zone's width as a share of load5: beyond the stable and the mixed zone, only load1
 *     counts
 */
public record ScalingConfig(
        double loadAverageFractionTarget,
        double memoryUsageFractionTarget,
        double memoryTotalFractionTarget,
        boolean enableLfcMetrics,
        boolean lfcUseLargestWindow,
        double lfcToMemoryRatio,
        int lfcMinWaitBeforeDownscaleMinutes,
        int lfcWindowSizeMinutes,
        double cpuStableZoneRatio,
        double cpuMixedZoneRatio) {
    /** The defaults of most fleets. */
    public static final ScalingConfig DEFAULTS = new ScalingConfig(0.9, 0.75, 0.9, false, false, 0.75, 5, 5, 0.0, 0.0);

    public ScalingConfig {
        requireWithin("loadAverageFractionTarget", loadAverageFractionTarget, 2);
        requireWithin("memoryUsageFractionTarget", memoryUsageFractionTarget, 1);
        requireWithin("memoryTotalFractionTarget", memoryTotalFractionTarget, 1);
        requireWithin("lfcToMemoryRatio", lfcToMemoryRatio, Double.POSITIVE_INFINITY);
        requireWithin("cpuStableZoneRatio", cpuStableZoneRatio, Double.POSITIVE_INFINITY);
        requireWithin("cpuMixedZoneRatio", cpuMixedZoneRatio, Double.POSITIVE_INFINITY);
        requireWindows(lfcUseLargestWindow, lfcMinWaitBeforeDownscaleMinutes, lfcWindowSizeMinutes);
    }

    /**
     * This config with the overrides of a VM in place of its own values, field by field.
     *
     * @throws IllegalArgumentException naming the field when the mixture is not valid
     */
    public ScalingConfig overlaid(ScalingOverrides own) {
        return new ScalingConfig(
                own.loadAverageFractionTarget().orElse(loadAverageFractionTarget),
                own.memoryUsageFractionTarget().orElse(memoryUsageFractionTarget),
                own.memoryTotalFractionTarget().orElse(memoryTotalFractionTarget),
                own.enableLfcMetrics().orElse(enableLfcMetrics),
                own.lfcUseLargestWindow().orElse(lfcUseLargestWindow),
                own.lfcToMemoryRatio().orElse(lfcToMemoryRatio),
                own.lfcMinWaitBeforeDownscaleMinutes().orElse(lfcMinWaitBeforeDownscaleMinutes),
                own.lfcWindowSizeMinutes().orElse(lfcWindowSizeMinutes),
                own.cpuStableZoneRatio().orElse(cpuStableZoneRatio),
                own.cpuMixedZoneRatio().orElse(cpuMixedZoneRatio));
    }

    private static void requireWithin(String key, double value, double limit) {
        if (!(value >= 0 && value < limit)) {
            throw new IllegalArgumentException(
                    "agent.scaling." + key + "=" + value + " must be at least 0 and below " + limit);
        }
    }

    private static void requireWindows(boolean useLargest, int minWait, int size) {
        if (minWait < 1) {
            throw new IllegalArgumentException(
                    "agent.scaling.lfcMinWaitBeforeDownscaleMinutes=" + minWait + " must be at least 1");
        }
        if (size < 2) {
            throw new IllegalArgumentException("agent.scaling.lfcWindowSizeMinutes=" + size + " must be at least 2");
        }
        if (!useLargest && minWait < size) {
            throw new IllegalArgumentException("agent.scaling.lfcWindowSizeMinutes=" + size
                    + " must not exceed agent.scaling.lfcMinWaitBeforeDownscaleMinutes=" + minWait
                    + " unless agent.scaling.lfcUseLargestWindow is true");
        }
    }
}
