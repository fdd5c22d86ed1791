package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import java.util.Optional;

/**
 * How many compute units a VM's metrics ask for, with the parts that this is made from. Computed in 64-bit floats in a
 * fixed order, so that a value on a rounding boundary always falls on the same side; the goal saturates at
 * {@link #MOST_CU}, and a part that is not a number counts as 0.
 *
 * @param goal the largest part, rounded up
 * @param hasAllMetrics whether no metrics are missing: without them a VM is never made smaller
 * @param cpu what the load asks for, unrounded; empty without system metrics
 * @param memory what memory in use, and with a known working set page cache too, ask for; empty without system metrics
 * @param lfc what the file cache asks for; empty without its metrics
 * @param workingSetBytes the file cache's working set; empty while it is not known
 * @param windowsTooShort whether the file cache's metrics had too few windows to read a working set from
 */
public record GoalCu(
        int goal,
        boolean hasAllMetrics,
        Optional<Double> cpu,
        Optional<Double> memory,
        Optional<Double> lfc,
        Optional<Long> workingSetBytes,
        boolean windowsTooShort) {
    /** No goal is above this many compute units. */
    public static final int MOST_CU = 65_535;

    private static final double PAGE_BYTES = 8192;

    /** The goal of these metrics, either of which may be missing. */
    public static GoalCu of(
            Optional<SystemMetrics> system, Optional<LfcMetrics> lfc, ScalingConfig scaling, Resources unit) {
        boolean complete = system.isPresent() && (!scaling.enableLfcMetrics() || lfc.isPresent());
        Optional<double[]> windows = lfc.map(LfcMetrics::pages);
        boolean tooShort = windows.filter(pages -> pages.length < firstUsable(scaling) + scaling.lfcWindowSizeMinutes())
                .isPresent();
        Optional<Double> setBytes = tooShort ? Optional.empty() : windows.map(pages -> setBytes(pages, scaling));
        Optional<Double> cpu = system.map(metrics -> cpu(metrics, scaling, unit));
        Optional<Double> memory = system.map(metrics -> memory(metrics, setBytes, scaling, unit));
        Optional<Double> cache = tooShort
                ? Optional.of(0.0)
                : setBytes.map(bytes -> (bytes / scaling.lfcToMemoryRatio()) / unit.memoryBytes());
        int goal = Math.max(Math.max(saturated(cpu.map(GoalCu::round)), saturated(memory)), saturated(cache));
        return new GoalCu(goal, complete, cpu, memory, cache, setBytes.map(Double::longValue), tooShort);
    }

    /** What the metrics of each kind ask for by themselves, in whole compute units. */
    Resources ofEachKind(Resources unit) {
        long memoryUnits = Math.max(saturated(memory), saturated(lfc));
        return new Resources(unit.milliCpu() * saturated(cpu.map(GoalCu::round)), unit.memoryBytes() * memoryUnits);
    }

    private static int firstUsable(ScalingConfig scaling) {
        return scaling.lfcMinWaitBeforeDownscaleMinutes() - 1;
    }

    private static double setBytes(double[] pages, ScalingConfig scaling) {
        return WorkingSet.predicted(
                        pages, firstUsable(scaling), scaling.lfcWindowSizeMinutes(), scaling.lfcUseLargestWindow())
                * PAGE_BYTES;
    }

    /** Near load5 the slower average alone counts, far from it the faster one, and a blend of both in between. */
    private static double cpu(SystemMetrics metrics, ScalingConfig scaling, Resources unit) {
        double stable = scaling.cpuStableZoneRatio() * metrics.load5();
        double mixed = stable + scaling.cpuMixedZoneRatio() * metrics.load5();
        double apart = Math.abs(metrics.load1() - metrics.load5());
        double weight;
        if (apart <= stable) {
            weight = 0;
        } else if (apart >= mixed) {
            weight = 1;
        } else {
            weight = (apart - stable) / ((mixed - stable) + 1e-6);
        }
        double load = weight * metrics.load1() + (1 - weight) * metrics.load5();
        return (load / scaling.loadAverageFractionTarget()) / (unit.milliCpu() / 1000.0);
    }

    private static double memory(
            SystemMetrics metrics, Optional<Double> setBytes, ScalingConfig scaling, Resources unit) {
        double used = round(metrics.usageBytes() / scaling.memoryUsageFractionTarget()) / unit.memoryBytes();
        if (setBytes.isEmpty()) {
            return used;
        }
        double cached = Math.min(Math.floor(setBytes.get()), metrics.cachedBytes());
        double total = ((cached + metrics.usageBytes()) / scaling.memoryTotalFractionTarget()) / unit.memoryBytes();
        return Math.max(used, total);
    }

    /** Half away from zero, as a double of any size. */
    private static double round(double value) {
        double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
        return Math.abs(value - whole) >= 0.5 ? whole + Math.copySign(1, value) : whole;
    }

    /** The cast turns NaN into 0; each part is cast separately, so that NaN in one does not hide the others. */
    private static int saturated(Optional<Double> part) {
        return (int) Math.clamp(Math.ceil(part.orElse(0.0)), 0.0, MOST_CU);
    }
}
