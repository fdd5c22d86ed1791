package io.sluice.agent.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.agent.core.VmStatusTracker.Census;
import io.sluice.agent.core.revision.Latency;
import io.sluice.agent.core.runner.RunnerMeasurements;
import io.sluice.units.Revision;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Starts, ends and states of runners and the latencies of goals, under the names that Neon's agent uses. */
final class RunnerLifeMetrics {
    private static final String AGENT = "autoscaling_agent_";
    private static final Duration[] BUCKETS = LongStream.concat(
                    LongStream.of(5, 10, 25),
                    LongStream.concat(
                            IntStream.rangeClosed(1, 10).mapToLong(step -> step * 50L),
                            LongStream.of(
                                    600, 700, 800, 900, 1_000, 1_250, 1_500, 1_750, 2_000, 2_500, 3_000, 3_500, 4_000,
                                    4_500, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000, 15_000, 20_000, 25_000, 30_000,
                                    40_000, 50_000, 60_000)))
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final Map<Latency.Stage, Map<Direction, Timer>> latencies = new EnumMap<>(Latency.Stage.class);
    private final Counter queries;
    private final Counter faults;
    private final AtomicLong starts = new AtomicLong();
    private final AtomicLong restarts = new AtomicLong();
    private volatile Census endpoints = new Census(0, 0, 0);
    private volatile Census others = new Census(0, 0, 0);

    private enum Direction {
        NONE("none"),
        INC("inc"),
        DEC("dec"),
        BOTH("both");

        private final String label;

        Direction(String label) {
            this.label = label;
        }

        static Direction of(long flags) {
            boolean up = (flags & Revision.UP) != 0;
            boolean down = (flags & Revision.DOWN) != 0;
            return up ? down ? BOTH : INC : down ? DEC : NONE;
        }
    }

    RunnerLifeMetrics(MeterRegistry meters) {
        for (var stage : Latency.Stage.values()) {
            var timers = new EnumMap<Direction, Timer>(Direction.class);
            for (var direction : Direction.values()) {
                timers.put(direction, timer(meters, stage, direction));
            }
            latencies.put(stage, timers);
        }
        queries = Counter.builder(AGENT + "runner_next_actions_total")
                .description("How often a scaling core was queried for its next actions")
                .register(meters);
        faults = Counter.builder(AGENT + "runner_thread_panics_total")
                .description("Runners that failed, in their core or in a port")
                .register(meters);
        // A counter gets the suffix _total, so these two are gauges that only grow.
        Gauge.builder(AGENT + "runner_starts", starts, AtomicLong::get)
                .description("Runners that were started; only grows")
                .register(meters);
        Gauge.builder(AGENT + "runner_restarts", restarts, AtomicLong::get)
                .description("Runners that were started in place of one that had ended; only grows")
                .register(meters);
        registerCensus(meters, "ok", Census::ok);
        registerCensus(meters, "stuck", Census::stuck);
        registerCensus(meters, "panicked", Census::failed);
    }

    private static Timer timer(MeterRegistry meters, Latency.Stage stage, Direction direction) {
        var name = switch (stage) {
            case SCALING -> "scaling_latency_seconds";
            case SCHEDULER -> "plugin_latency_seconds";
            case MONITOR -> "monitor_latency_seconds";
            case NEON_VM -> "neonvm_latency_seconds";
        };
        var description = switch (stage) {
            case SCALING -> "From the goal to the VM's status that shows it";
            case SCHEDULER -> "From the goal to the ledger's reply";
            case MONITOR -> "From the goal to the monitor's reply";
            case NEON_VM -> "From the patch to the VM's status that shows it";
        };
        return Timer.builder(AGENT + name)
                .description(description)
                .tag(ResizeMetrics.DIRECTION, direction.label)
                .serviceLevelObjectives(BUCKETS)
                .register(meters);
    }

    private void registerCensus(MeterRegistry meters, String state, ToIntFunction<Census> count) {
        for (boolean endpoint : new boolean[] {true, false}) {
            Gauge.builder(AGENT + "runners_current", () -> count.applyAsInt(endpoint ? endpoints : others))
                    .description(
                            "Runners by state; a stuck one has waited for a minute for what should not take that long,"
                                    + " or has a monitor or driver that fails")
                    .tag("is_endpoint", Boolean.toString(endpoint))
                    .tag("state", state)
                    .register(meters);
        }
    }

    public void started(boolean inPlaceOfAnother) {
        starts.incrementAndGet();
        if (inPlaceOfAnother) {
            restarts.incrementAndGet();
        }
    }

    public void failed() {
        faults.increment();
    }

    /** Runners of VMs that serve an endpoint, and those of all others. */
    public void counted(Census ofEndpoints, Census ofOthers) {
        endpoints = ofEndpoints;
        others = ofOthers;
    }

    public void measured(RunnerMeasurements measures) {
        queries.increment(measures.queries());
        for (var latency : measures.latencies()) {
            // A driver's timestamps have whole seconds: a negative duration counts as zero.
            var took = latency.duration().isNegative() ? Duration.ZERO : latency.duration();
            latencies.get(latency.stage()).get(Direction.of(latency.flags())).record(took);
        }
    }
}
