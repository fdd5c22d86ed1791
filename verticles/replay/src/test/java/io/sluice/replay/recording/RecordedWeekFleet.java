package io.sluice.replay.recording;

import io.sluice.agent.core.revision.ReachedRevision;
import io.sluice.agent.core.scaling.ActionSet;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.ScalingCore;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.agent.journal.JournalText;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * VMs in virtual time whose load is a week of recorded series, each with a scaling core whose steps are recorded. What
 * they request is granted, denied in part, delayed, fails or is lost, by one seed.
 */
final class RecordedWeekFleet {
    private static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
    private static final int PERIOD_SECONDS = 300;
    private static final int WEEK_SAMPLES = 7 * 24 * 12;
    private static final int MOST_CU = 16;
    private static final int DOWN_DAY_SECONDS = 86_400;
    private static final double PERCENT = 100;
    private static final long MEBIBYTE = 1L << 20;
    /** A recording with fewer requests between two samples than production has. */
    private static final CoreConfig CONFIG = config();

    private final RecordingWriter writer;
    private final Random random;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingLong(Event::order));
    private final List<Vm> vms = new ArrayList<>();
    private long order;

    /** Something that happens to one VM. */
    private record Event(Instant at, long order, Vm vm, Change change) {}

    /** What happens to a VM's core. */
    private interface Change {
        void apply(Vm vm, Instant at);
    }

    private static final class Vm {
        private final String name;
        private final TraceSeries cpu;
        private final TraceSeries memory;
        private final ScalingCore core;
        private Resources spec = CONFIG.computeUnit().times(4);
        private double load1;
        private double load5;
        private double usedBytes;
        private Instant wakesAt = Instant.MAX;

        private Vm(String name, TraceSeries cpu, TraceSeries memory) {
            this.name = name;
            this.cpu = cpu;
            this.memory = memory;
            core = new ScalingCore(CONFIG, observed(Optional.empty()));
        }

        private VmInfo observed(Optional<ReachedRevision> reached) {
            var unit = CONFIG.computeUnit();
            return new VmInfo(
                    unit,
                    unit.times(MOST_CU),
                    spec,
                    unit.memoryBytes(),
                    ScalingOverrides.NONE,
                    reached,
                    Optional.of(spec));
        }
    }

    /**
     * A fleet with one VM for each series.
     *
     * @param cpu of CloudWatch, which has no memory: the series of the next VM stands for it
     */
    RecordedWeekFleet(List<TraceSeries> cpu, RecordingWriter writer, long seed) {
        this.writer = writer;
        random = new Random(seed);
        for (int i = 0; i < cpu.size(); i++) {
            vms.add(new Vm("week/vm" + i, cpu.get(i), cpu.get((i + 1) % cpu.size())));
        }
    }

    private static CoreConfig config() {
        var base = CoreConfig.DEFAULTS;
        return new CoreConfig(
                base.computeUnit(),
                base.scaling(),
                Duration.ofMinutes(20),
                base.schedulerRetryWait(),
                base.deniedRetryWait(),
                base.neonVmRetryWait(),
                base.monitorRetryWait(),
                base.deniedDownscaleCooldown(),
                base.requestedUpscaleValid(),
                base.permitSafety(),
                base.permitValidFor(),
                base.confirmBy(),
                base.confirmTimeout(),
                base.maxUpscaleStepCu());
    }

    /** Lets the week pass. */
    void run() throws IOException {
        for (var vm : vms) {
            after(vm, 0, (one, at) -> one.core.monitorActive(at));
            for (int sample = 0; sample < WEEK_SAMPLES; sample++) {
                int index = sample;
                int second = sample * PERIOD_SECONDS + random.nextInt(5);
                at(START.plusSeconds(second), vm, (one, at) -> sample(one, index, at));
            }
        }
        var end = START.plusSeconds((long) WEEK_SAMPLES * PERIOD_SECONDS);
        while (!events.isEmpty() && events.peek().at().isBefore(end)) {
            step(events.poll());
        }
    }

    private void at(Instant at, Vm vm, Change change) {
        events.add(new Event(at, order++, vm, change));
    }

    private void after(Vm vm, long millis, Change change) {
        at(START.plusMillis(millis), vm, change);
    }

    private void step(Event event) throws IOException {
        var vm = event.vm();
        var now = event.at();
        vm.core.record(true, now);
        event.change().apply(vm, now);
        var actions = vm.core.nextActions(now);
        start(vm, actions, now);
        var step = vm.core.takeStep();
        if (step.isPresent()) {
            writer.step(
                    vm.name,
                    "uid-" + vm.name,
                    "node-0",
                    "runner-0",
                    step.get().number(),
                    actions.basis().goalCu(),
                    OptionalInt.empty(),
                    JournalText.write(step.get().entries()));
        }
    }

    /** The load averages of five minutes of even demand, and memory. */
    private void sample(Vm vm, int index, Instant at) {
        double cpus = Math.max(0, vm.cpu.samples()[index]) / 1_000;
        double noise = 1 + 0.05 * (2 * random.nextDouble() - 1);
        vm.load1 = cpus * noise;
        vm.load5 = 0.37 * vm.load5 + 0.63 * cpus;
        double share = Math.max(0, vm.memory.samples()[index]) / vm.memory.capacity();
        vm.usedBytes = Math.rint(share * MOST_CU * CONFIG.computeUnit().memoryBytes() * 0.9 / MEBIBYTE) * MEBIBYTE;
        double shown = Math.min(vm.usedBytes, vm.core.using().memoryBytes());
        if (random.nextInt(400) == 0) {
            vm.core.systemMetricsAbsent(at);
        } else {
            vm.core.systemMetrics(
                    new SystemMetrics(
                            Math.rint(PERCENT * vm.load1) / PERCENT, Math.rint(PERCENT * vm.load5) / PERCENT, shown, 0),
                    at);
        }
        happenings(vm, at);
    }

    /** What a network, a guest and an operator do now and then. */
    private void happenings(Vm vm, Instant at) {
        if (vm.usedBytes > vm.core.using().memoryBytes()) {
            at(at.plusMillis(700), vm, (one, now) -> one.core.upscaleRequested(now, false, true));
        }
        if (random.nextInt(500) == 0) {
            at(at.plusMillis(900), vm, (one, now) -> one.core.monitorReset(now));
            at(at.plusSeconds(20), vm, (one, now) -> one.core.monitorActive(now));
        }
        if (random.nextInt(DOWN_DAY_SECONDS / PERIOD_SECONDS) == 0) {
            at(at.plusMillis(300), vm, (one, now) -> one.core.aboutToMove(now));
            at(at.plusSeconds(40), vm, (one, now) -> one.core.movingRevoked(now));
        }
    }

    private void start(Vm vm, ActionSet actions, Instant now) {
        actions.pluginRequest().ifPresent(request -> {
            vm.core.schedulerStarting(now, request.target());
            reply(vm, now, permitted(vm, request));
        });
        actions.monitorUpscale().ifPresent(request -> {
            vm.core.monitorUpscaleStarting(now, request.target());
            reply(vm, now, (one, at) -> {
                if (random.nextInt(60) == 0) {
                    one.core.monitorUpscaleFailed(at);
                } else {
                    one.core.monitorUpscaleSuccess(at);
                }
            });
        });
        actions.monitorDownscale().ifPresent(request -> {
            vm.core.monitorDownscaleStarting(now, request.target());
            reply(vm, now, (one, at) -> {
                if (random.nextInt(60) == 0) {
                    one.core.monitorDownscaleFailed(at);
                } else if (request.target().memoryBytes() < one.usedBytes) {
                    one.core.monitorDownscaleDenied(at, request.targetRevision());
                } else {
                    one.core.monitorDownscaleAllowed(at, request.targetRevision());
                }
            });
        });
        actions.neonVmRequest().ifPresent(request -> patch(vm, request, now));
        wake(vm, actions, now);
    }

    private Change permitted(Vm vm, ActionSet.PluginRequest request) {
        int draw = random.nextInt(40);
        var using = vm.core.using();
        boolean grows = request.target().exceeds(using);
        var permit = draw < 6 && grows ? using : request.target();
        return (one, at) -> {
            if (draw == 39) {
                one.core.schedulerFailed(at);
            } else {
                one.core.schedulerSuccess(at, permit, Optional.of(Duration.ofSeconds(10)), request.targetRevision());
            }
        };
    }

    private void patch(Vm vm, ActionSet.NeonVmRequest request, Instant now) {
        Revision revision = request.targetRevision().revision();
        if (!vm.core.neonVmStarting(now, request.target(), revision)) {
            return;
        }
        int draw = random.nextInt(60);
        reply(vm, now, (one, at) -> {
            switch (draw) {
                case 0 -> one.core.neonVmFailed(at);
                case 1 -> one.core.neonVmInDoubt(at);
                default -> one.core.neonVmSuccess(at);
            }
        });
        if (draw != 0) {
            at(now.plusMillis(50L * (18 + random.nextInt(18))), vm, (one, at) -> {
                one.spec = request.target();
                one.core.vmUpdated(one.observed(Optional.of(new ReachedRevision(revision, at))), at);
            });
        }
    }

    private void reply(Vm vm, Instant now, Change change) {
        at(now.plusMillis(50L * (1 + random.nextInt(4))), vm, change);
    }

    /** The core is consulted again when what it waits for is due. */
    private void wake(Vm vm, ActionSet actions, Instant now) {
        actions.waitFor().filter(wait -> wait.isPositive()).ifPresent(wait -> {
            var due = now.plusMillis(wait.toMillis() + 1);
            if (!vm.wakesAt.isAfter(now) || due.isBefore(vm.wakesAt)) {
                vm.wakesAt = due;
                at(due, vm, (one, at) -> {});
            }
        });
    }
}
