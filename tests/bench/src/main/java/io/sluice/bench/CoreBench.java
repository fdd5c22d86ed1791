package io.sluice.bench;

import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.LfcMetrics;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many times a second a core decides on its actions, for a VM whose file cache counts, with 60 windows of its
 * working set.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CoreBench {
    private static final long GIB = 1L << 30;
    private static final Resources UNIT = new Resources(250, GIB);
    private static final Resources USING = UNIT.times(4);
    private static final int WINDOWS = 60;
    private static final double PAGES_PER_WINDOW = 2_000;
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration TURN = Duration.ofMillis(1);

    /**
     * The state of the core: {@code content} needs no action; {@code patching} offers a patch that a permit allows;
     * {@code waiting} has that patch under way.
     */
    @Param({"content", "patching", "waiting"})
    public String state;

    /** Whether the file cache's metrics count. */
    @Param({"true", "false"})
    public boolean lfc;

    private ScalingCore core;
    private SystemMetrics metrics;
    private Instant now = NOW;
    private long turns;

    /** Prepares a core in that state. */
    @Setup
    public void begin() {
        var none = ScalingOverrides.NONE;
        var overrides = new ScalingOverrides(
                none.loadAverageFractionTarget(),
                none.memoryUsageFractionTarget(),
                none.memoryTotalFractionTarget(),
                Optional.of(lfc),
                none.lfcUseLargestWindow(),
                none.lfcToMemoryRatio(),
                none.lfcMinWaitBeforeDownscaleMinutes(),
                none.lfcWindowSizeMinutes(),
                none.cpuStableZoneRatio(),
                none.cpuMixedZoneRatio());
        core = new ScalingCore(
                CoreConfig.DEFAULTS,
                new VmInfo(UNIT, UNIT.times(16), USING, GIB, overrides, Optional.empty(), Optional.of(USING)));
        metrics = new SystemMetrics(state.equals("content") ? 0.85 : 1.3, 0.85, 1.2e9, 0.3e9);
        core.systemMetrics(metrics, now);
        core.lfcMetrics(windows(), now);
        core.monitorActive(now);
        for (var actions = core.nextActions(now);
                actions.pluginRequest().isPresent();
                actions = core.nextActions(now)) {
            request(actions.pluginRequest().get());
        }
        if (state.equals("waiting")) {
            var patch = core.nextActions(now).neonVmRequest().orElseThrow();
            core.neonVmStarting(now, patch.target(), patch.targetRevision().revision());
        }
    }

    private void request(ActionSet.PluginRequest request) {
        core.schedulerStarting(now, request.target());
        core.schedulerSuccess(now, request.target(), Optional.of(Duration.ofSeconds(10)), request.targetRevision());
    }

    private static LfcMetrics windows() {
        return new LfcMetrics(DoubleStream.iterate(PAGES_PER_WINDOW, pages -> pages * 1.02)
                .limit(WINDOWS)
                .boxed()
                .toList());
    }

    /** One query; its time advances, but never so far that anything lapses. */
    @Benchmark
    public ActionSet nextActions() {
        return core.nextActions(later());
    }

    /** One sample, and the query that follows it. */
    @Benchmark
    public ActionSet sampleAndNextActions() {
        var at = later();
        core.systemMetrics(metrics, at);
        return core.nextActions(at);
    }

    private Instant later() {
        turns++;
        now = NOW.plus(TURN.multipliedBy(turns % 1_000));
        return now;
    }

    /** Prints the core's actions, to check that the states are as named. */
    public static void main(String[] arguments) {
        for (var state : List.of("content", "patching", "waiting")) {
            var bench = new CoreBench();
            bench.state = state;
            bench.lfc = true;
            bench.begin();
            System.out.println(state + ": " + bench.nextActions());
        }
    }
}
