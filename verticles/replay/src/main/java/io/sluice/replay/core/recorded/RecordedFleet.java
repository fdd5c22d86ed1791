package io.sluice.replay.core.recorded;

import io.sluice.agent.core.scaling.CoreEntry;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All VMs of a recording: their decisions, made again, and their load. Steps come in the order of the recording. */
public final class RecordedFleet {
    /** The most samples of a VM; beyond, two become one. */
    private static final int SAMPLES_MAX = 100_000;

    private static final int VMS_MAX = 100_000;
    private static final int PERIOD_SECONDS = 5;
    private static final int EXAMPLES_MAX = 10;

    private final Map<String, Vm> vms = new LinkedHashMap<>();
    private int periodSeconds = PERIOD_SECONDS;
    private Optional<Instant> start = Optional.empty();
    private long steps;
    private long shadowSteps;
    private long shadowAbove;
    private long shadowBelow;

    private record Vm(RecordedVm decisions, RecordedLoad load) {}

    /**
     * A step of a VM.
     *
     * @throws IllegalArgumentException when there are too many VMs
     */
    public void step(String vm, String runner, long number, List<CoreEntry> entries) {
        steps++;
        if (vms.size() >= VMS_MAX && !vms.containsKey(vm)) {
            throw new IllegalArgumentException("a recording has at most " + VMS_MAX + " VMs");
        }
        var one = vms.computeIfAbsent(vm, name -> new Vm(new RecordedVm(), new RecordedLoad()));
        one.decisions().step(runner, number, entries);
        for (var entry : entries) {
            switch (entry) {
                case CoreEntry.Began(var _, var observed, var _) -> one.load().observed(observed);
                case CoreEntry.VmUpdated(var _, var observed) -> one.load().observed(observed);
                case CoreEntry.Sampled(var at, var metrics) -> {
                    start = start.or(() -> Optional.of(at));
                    one.load().sampled(index(at), metrics, at, periodSeconds);
                }
                case CoreEntry.Happened _, CoreEntry.Sized _, CoreEntry.Permitted _, CoreEntry.PatchSent _ -> {}
                case CoreEntry.UpscaleWanted _, CoreEntry.LfcSampled _, CoreEntry.GoalGiven _ -> {}
                case CoreEntry.Decided _ -> {}
            }
        }
    }

    /** What the policy in force, and the one beside it, ask for after a step. */
    public void goals(int inForce, int shadow) {
        shadowSteps++;
        shadowAbove += shadow > inForce ? 1 : 0;
        shadowBelow += shadow < inForce ? 1 : 0;
    }

    private int index(Instant at) {
        int index = RecordedLoad.index(start.orElse(at), at, periodSeconds);
        while (index >= SAMPLES_MAX) {
            vms.values().forEach(vm -> vm.load().halve());
            periodSeconds *= 2;
            index = RecordedLoad.index(start.orElse(at), at, periodSeconds);
        }
        return index;
    }

    /** The load of all VMs, CPU first. */
    public List<TraceSeries> series() {
        int samples =
                vms.values().stream().mapToInt(vm -> vm.load().used()).max().orElse(0);
        int second = start.map(at -> at.atOffset(ZoneOffset.UTC).toLocalTime().toSecondOfDay())
                .orElse(0);
        var all = new ArrayList<TraceSeries>();
        for (var kind : List.of(ResourceKind.CPU, ResourceKind.MEMORY)) {
            vms.forEach((name, vm) -> {
                if (vm.load().hasLoad()) {
                    all.add(vm.load().series(name, kind, periodSeconds, second, samples));
                }
            });
        }
        return all;
    }

    /** The sums of all VMs. */
    public RecordingScore score(long dropped, boolean cutOff) {
        var comparisons = new EnumMap<Comparison, Long>(Comparison.class);
        var deviations = new EnumMap<Deviation, Long>(Deviation.class);
        var differences = new ArrayList<String>();
        vms.forEach((name, vm) -> {
            vm.decisions().comparisons().forEach((kind, count) -> comparisons.merge(kind, count, Long::sum));
            vm.decisions().deviations().forEach((cause, count) -> deviations.merge(cause, count, Long::sum));
            vm.decisions()
                    .firstDifference()
                    .filter(difference -> differences.size() < EXAMPLES_MAX)
                    .ifPresent(difference -> differences.add(name + ": " + difference));
        });
        return new RecordingScore(
                vms.size(),
                steps,
                dropped,
                cutOff,
                comparisons,
                deviations,
                shadowSteps,
                shadowAbove,
                shadowBelow,
                differences);
    }
}
