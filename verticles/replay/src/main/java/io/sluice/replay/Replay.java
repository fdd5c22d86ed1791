package io.sluice.replay;

import io.sluice.agent.core.policy.VmPolicy;
import io.sluice.ledger.LedgerConfig;
import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.devices.TypicalPods;
import io.sluice.pressure.PressureConfig;
import io.sluice.replay.Policies.ReplayedPolicy;
import io.sluice.replay.core.fleet.FleetPolicy;
import io.sluice.replay.core.fleet.FleetReplay;
import io.sluice.replay.core.fleet.FleetScore;
import io.sluice.replay.core.nodes.NodeRules;
import io.sluice.replay.core.nodes.NodeSizes;
import io.sluice.replay.core.nodes.NodesReplay;
import io.sluice.replay.core.nodes.NodesScore;
import io.sluice.replay.core.recorded.RecordingScore;
import io.sluice.replay.core.score.VmScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.replay.core.vm.VmModel;
import io.sluice.replay.core.vm.VmReplay;
import io.sluice.replay.read.MalformedTraceException;
import io.sluice.replay.read.PrometheusException;
import io.sluice.replay.read.PrometheusTraces;
import io.sluice.replay.read.TraceReader;
import io.sluice.replay.recording.RecordingReader;
import io.sluice.shell.config.ConfigException;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Replays each series of a trace under each policy, several VMs at a time. */
public final class Replay {
    /** As production has them by default. */
    public static final NodeRules NODE_RULES = new NodeRules(
            LedgerConfig.DEFAULTS.rules(),
            () -> PlacementConfig.DEFAULTS.plugins(PlacementConfig.DEFAULTS.share(), new TypicalPods()),
            PressureConfig.DEFAULTS.rules());

    private static final int MEBIBYTE_BITS = 20;
    private static final int LEFT_OUT_SHOWN = 10;

    /** Receives how much is done. */
    public interface Progress {
        void done(int vms, int of);
    }

    private final ReplayOptions options;
    private final BooleanSupplier stop;
    private final Progress progress;

    /**
     * A replay.
     *
     * @param stop whether to end early; what is under way is finished, and the result says that it is partial
     */
    public Replay(ReplayOptions options, BooleanSupplier stop, Progress progress) {
        this.options = options;
        this.stop = stop;
        this.progress = progress;
    }

    /** Runs it. */
    public ReplayResult run() throws IOException, MalformedTraceException, PrometheusException, InterruptedException {
        var policies = Policies.read(options.policies());
        policies.forEach(policy -> requireUnit(policy, options.model()));
        var load = load();
        var all = load.series().stream().map(this::chosenDays).toList();
        if (all.isEmpty()) {
            var problems = new ArrayList<>(List.of(options.name() + " has no load that can be replayed."));
            load.leftOut().stream().limit(LEFT_OUT_SHOWN).forEach(problems::add);
            throw new ConfigException(problems);
        }
        int samples = all.getFirst().samples().length;
        int first = options.trainingDays() == 0
                ? samples / 3
                : options.trainingDays() * all.getFirst().samplesPerDay();
        if (first >= samples) {
            throw new ConfigException(List.of("--training=" + options.trainingDays() + " leaves none of the " + samples
                    + " samples to compare."));
        }
        // A policy that takes its size from earlier samples has none for the others.
        var compared = first == 0
                ? all
                : all.stream().filter(series -> series.begin() < first).toList();
        if (compared.isEmpty()) {
            throw new ConfigException(List.of("no series has a sample before the first that is compared."));
        }
        var nodes = options.nodeSpec().map(spec -> named(spec, load));
        try (var pool = Executors.newFixedThreadPool(options.threads())) {
            var scores = scores(pool, compared, policies, first);
            return new ReplayResult(
                    options,
                    policies,
                    compared,
                    all.size() - compared.size(),
                    first,
                    scores,
                    fleet(pool, all),
                    load.leftOut(),
                    load.leftOutCount(),
                    onNodes(pool, all, policies, first, nodes),
                    load.recording());
        }
    }

    /** The nodes that were asked for; those of the recording if it is they. */
    private static NodeSizes named(NodeSizes spec, Load load) {
        if (!spec.totals().isEmpty()) {
            return spec;
        }
        if (load.nodes().isEmpty()) {
            throw new ConfigException(List.of("--nodes=recorded needs a recording that names its nodes."));
        }
        return new NodeSizes(load.nodes());
    }

    /** What was read, and what was left out. */
    private record Load(
            List<TraceSeries> series,
            List<String> leftOut,
            long leftOutCount,
            Optional<RecordingScore> recording,
            List<Resources> nodes) {}

    private Load load() throws IOException, MalformedTraceException, PrometheusException, InterruptedException {
        if (options.prometheus().isPresent()) {
            var reader = new PrometheusTraces(options.prometheus().get());
            return new Load(reader.read(), reader.leftOut(), reader.leftOut().size(), Optional.empty(), List.of());
        }
        if (RecordingReader.reads(options.trace().orElseThrow())) {
            var reader = new RecordingReader();
            reader.read(options.trace().get());
            return new Load(reader.series(), List.of(), 0, Optional.of(reader.score()), reader.nodes());
        }
        var reader = new TraceReader(options.lenient(), options.model().vmMilliCpu());
        return new Load(
                reader.read(options.trace().orElseThrow()),
                reader.leftOut(),
                reader.leftOutCount(),
                Optional.empty(),
                List.of());
    }

    private TraceSeries chosenDays(TraceSeries series) {
        int perDay = series.samplesPerDay();
        int from = Math.min((options.fromDay() - 1) * perDay, series.samples().length);
        int to = (int) Math.min((long) options.toDay() * perDay, series.samples().length);
        if (from >= to) {
            throw new ConfigException(List.of("--from-day=" + options.fromDay() + " and --to-day=" + options.toDay()
                    + " leave nothing of the " + series.samples().length + " samples."));
        }
        return series.cut(from, to);
    }

    private static void requireUnit(ReplayedPolicy policy, VmModel model) {
        var unit = policy.core().computeUnit();
        long bytes = (long) model.unitMebibytes() << MEBIBYTE_BITS;
        if (unit.milliCpu() != model.unitMilliCpu() || unit.memoryBytes() != bytes) {
            throw new ConfigException(List.of("the policy " + policy.config().name()
                    + " has another agent.computeUnit than the replay: all are compared with one."));
        }
    }

    private List<VmScore[]> scores(
            ExecutorService pool, List<TraceSeries> all, List<ReplayedPolicy> policies, int first)
            throws InterruptedException {
        var done = new AtomicInteger();
        var tasks = new ArrayList<Callable<VmScore[]>>();
        for (var series : all) {
            tasks.add(() -> {
                var found = score(series, policies, first);
                progress.done(done.incrementAndGet(), all.size());
                return found;
            });
        }
        return run(pool, tasks);
    }

    /** The whole trace on nodes of the consolidation papers; a sample that is missing counts as no load. */
    private List<FleetScore> fleet(ExecutorService pool, List<TraceSeries> all) throws InterruptedException {
        if (options.nodes() == 0) {
            return List.of();
        }
        var loads = all.stream()
                .filter(series -> series.kind() == ResourceKind.CPU)
                .map(series -> Arrays.stream(series.samples())
                        .map(sample -> Double.isNaN(sample) ? 0 : Math.min(1, sample / series.capacity()))
                        .toArray())
                .toList();
        var tasks = new ArrayList<Callable<Optional<FleetScore>>>();
        for (var policy : FleetPolicy.values()) {
            tasks.add(() -> FleetReplay.score(policy, loads, options.nodes(), stop));
        }
        return run(pool, tasks).stream().flatMap(Optional::stream).toList();
    }

    /** The VMs on nodes of limited size, under each policy that production can run. */
    private List<NodesScore> onNodes(
            ExecutorService pool,
            List<TraceSeries> all,
            List<ReplayedPolicy> policies,
            int first,
            Optional<NodeSizes> nodes)
            throws InterruptedException {
        var tasks = new ArrayList<Callable<Optional<NodesScore>>>();
        var model = options.model().forPeriod(all.getFirst().periodSeconds());
        for (var policy : policies) {
            if (options.nodeSpec().isPresent()
                    && VmPolicy.isOnline(policy.config().kind())) {
                var replay = new NodesReplay(model, policy.core(), policy.config(), nodes.get(), NODE_RULES);
                tasks.add(() -> replay.score(all, first, stop));
            }
        }
        return run(pool, tasks).stream().flatMap(Optional::stream).toList();
    }

    private static <T> List<T> run(ExecutorService pool, List<Callable<T>> tasks) throws InterruptedException {
        var results = new ArrayList<T>();
        try {
            for (Future<T> result : pool.invokeAll(tasks)) {
                results.add(result.get());
            }
        } catch (ExecutionException broken) {
            throw new IllegalStateException("a replay failed", broken.getCause());
        }
        return results;
    }

    private VmScore[] score(TraceSeries series, List<ReplayedPolicy> policies, int first) {
        var found = new VmScore[policies.size()];
        for (int i = 0; i < found.length && !stop.getAsBoolean(); i++) {
            var policy = policies.get(i);
            found[i] = new VmReplay(options.model().forPeriod(series.periodSeconds()), policy.core(), options.exact())
                    .score(series, policy.config(), first);
        }
        return found;
    }
}
