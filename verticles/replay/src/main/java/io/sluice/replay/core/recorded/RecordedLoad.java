package io.sluice.replay.core.recorded;

import io.sluice.agent.core.policy.LoadDemand;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * The load of one VM out of its recorded samples: the demand for CPU as its 1-minute load averages show it, and memory
 * in use, in equal periods.
 */
final class RecordedLoad {
    private static final double MEBIBYTE = 1 << 20;
    /** The agent counts this much on top of what is not available. */
    private static final double RESERVE_MEBIBYTES = 100;

    private static final double MILLI = 1_000;
    private static final int CARRIED_SECONDS = 15;

    private final LoadDemand demand = new LoadDemand();
    private double[] cpu = new double[0];
    private double[] memory = new double[0];
    private int used;
    /** How many samples the last period is the mean of. */
    private int inLast;

    private Resources most = Resources.NONE;

    void observed(VmInfo vm) {
        most = most.max(vm.max());
    }

    void sampled(int index, SystemMetrics metrics, Instant at, int periodSeconds) {
        double milliCpu = demand.cpus(metrics.load1(), at) * MILLI;
        double mebibytes = Math.max(0, metrics.usageBytes() / MEBIBYTE - RESERVE_MEBIBYTES);
        grow(index + 1);
        inLast = index == used - 1 ? inLast + 1 : 1;
        int carried = used;
        used = Math.max(used, index + 1);
        if (carried > 0 && index - carried < Math.max(1, CARRIED_SECONDS / periodSeconds)) {
            Arrays.fill(cpu, carried, used, cpu[carried - 1]);
            Arrays.fill(memory, carried, used, memory[carried - 1]);
        }
        cpu[index] = mean(cpu[index], milliCpu);
        memory[index] = mean(memory[index], mebibytes);
    }

    private double mean(double before, double sample) {
        return inLast == 1 ? sample : before + (sample - before) / inLast;
    }

    private void grow(int length) {
        if (length > cpu.length) {
            int before = cpu.length;
            int now = Math.max(length, 2 * before);
            cpu = Arrays.copyOf(cpu, now);
            memory = Arrays.copyOf(memory, now);
            Arrays.fill(cpu, before, now, Double.NaN);
            Arrays.fill(memory, before, now, Double.NaN);
        }
    }

    /** Periods become twice as long. */
    void halve() {
        inLast *= used % 2 == 0 && used > 0 && !Double.isNaN(cpu[used - 2]) ? 2 : 1;
        cpu = halved(cpu);
        memory = halved(memory);
        used = (used + 1) / 2;
    }

    private static double[] halved(double[] values) {
        var half = new double[(values.length + 1) / 2];
        for (int i = 0; i < half.length; i++) {
            double one = values[2 * i];
            double other = 2 * i + 1 < values.length ? values[2 * i + 1] : Double.NaN;
            half[i] = Double.isNaN(one) ? other : Double.isNaN(other) ? one : (one + other) / 2;
        }
        return half;
    }

    int used() {
        return used;
    }

    /** The series of a resource, with so many samples. */
    TraceSeries series(String vm, ResourceKind kind, int periodSeconds, int startSecond, int samples) {
        boolean ofCpu = kind == ResourceKind.CPU;
        grow(samples);
        double capacity = ofCpu ? most.milliCpu() : most.memoryBytes() / MEBIBYTE;
        return new TraceSeries(
                vm, kind, capacity, periodSeconds, startSecond, Arrays.copyOf(ofCpu ? cpu : memory, samples));
    }

    boolean hasLoad() {
        return used > 0 && !most.hasZero();
    }

    static int index(Instant start, Instant at, int periodSeconds) {
        return (int) Math.max(0, Duration.between(start, at).toSeconds() / periodSeconds);
    }
}
