package io.sluice.replay.core.nodes;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.replay.core.score.PolicyScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.replay.core.vm.VmModel;
import io.sluice.replay.core.vm.VmReplay;
import io.sluice.units.ResourceKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Replays VMs on nodes of limited size, CPU and memory together: a VM grows only by what its node's ledger grants, and
 * leaves a node under pressure. A VM arrives at its first sample and is gone after its last one. The VMs take turns,
 * each for one scrape period.
 */
public final class NodesReplay {
    private final VmModel model;
    private final CoreConfig core;
    private final PolicyConfig policy;
    private final NodeSizes spec;
    private final NodeRules rules;

    /** @param policy of a kind that production can run */
    public NodesReplay(VmModel model, CoreConfig core, PolicyConfig policy, NodeSizes spec, NodeRules rules) {
        this.model = model;
        this.core = core;
        this.policy = policy;
        this.spec = spec;
        this.rules = rules;
    }

    /**
     * The score of the samples from {@code first} on; empty if it was to stop.
     *
     * @param series of equal lengths; a VM has one for each resource that was recorded of it
     */
    public Optional<NodesScore> score(List<TraceSeries> series, int first, BooleanSupplier stop) {
        var nodes = new ReplayedNodes(spec, core.computeUnit(), rules);
        int begin = VmReplay.start(first);
        int periodSeconds = series.getFirst().periodSeconds();
        var arrivals = arrivals(series, begin);
        var placed = new ArrayList<>(place(arrivals.getOrDefault(begin, List.of()), nodes, begin, 0, first));
        var vms = new ArrayList<>(placed);
        var migrations = new ReplayedMigrations(nodes, model, rules.pressure(), vms);
        var use = new ArrayList<String>();
        var begun = new ArrayList<Integer>();
        for (int sample = begin; sample < series.getFirst().samples().length; sample++) {
            if (stop.getAsBoolean()) {
                return Optional.empty();
            }
            int before = migrations.begun();
            long passed = (long) (sample - begin) * periodSeconds;
            leave(vms, migrations, sample, passed);
            if (sample > begin && arrivals.containsKey(sample)) {
                var arrived = place(arrivals.get(sample), nodes, sample, passed, first);
                arrived.forEach(migrations::added);
                vms.addAll(arrived);
                placed.addAll(arrived);
            }
            sample(vms, migrations, sample, passed, periodSeconds);
            if (sample >= first) {
                use.add(nodes.use());
                begun.add(migrations.begun() - before);
            }
        }
        return Optional.of(new NodesScore(
                policy.name(),
                sums(placed),
                arrivals.values().stream().mapToInt(List::size).sum() - placed.size(),
                placed.stream().mapToLong(vm -> vm.placed().denied()).sum(),
                fullest(vms),
                migrations.secondsOfEach(),
                use,
                begun));
    }

    /** The VMs by the sample at which they arrive: their first one, or that at which the replay begins. */
    private static Map<Integer, List<List<TraceSeries>>> arrivals(List<TraceSeries> series, int begin) {
        var byVm = series.stream().collect(groupingBy(TraceSeries::vm, LinkedHashMap::new, toList()));
        return byVm.values().stream()
                .filter(vm -> end(vm) > begin)
                .collect(groupingBy(vm -> Math.max(
                        begin, vm.stream().mapToInt(TraceSeries::begin).min().orElse(0))));
    }

    private static int end(List<TraceSeries> vm) {
        return vm.stream().mapToInt(TraceSeries::end).max().orElse(0);
    }

    private static void leave(List<NodeVm> vms, ReplayedMigrations migrations, int sample, long passed) {
        var leaving = vms.stream().filter(vm -> vm.end() == sample).toList();
        leaving.forEach(vm -> migrations.removed(vm, Instant.ofEpochSecond(passed)));
        vms.removeAll(leaving);
    }

    private List<PolicyScore> sums(List<NodeVm> vms) {
        var scores = vms.stream().flatMap(vm -> vm.replay().scores().stream()).toList();
        return Arrays.stream(ResourceKind.values())
                .map(kind -> PolicyScore.of(
                        policy.name(),
                        kind,
                        scores.stream().filter(score -> score.kind() == kind).toList()))
                .filter(sum -> sum.vms() > 0)
                .toList();
    }

    private void sample(List<NodeVm> vms, ReplayedMigrations migrations, int sample, long passed, int periodSeconds) {
        for (int second = 0; second < periodSeconds; second += model.scrapeSeconds()) {
            for (var vm : vms) {
                vm.replay().scrape(sample, second);
            }
            long now = passed + Math.min(periodSeconds, second + model.scrapeSeconds());
            migrations.look(Instant.ofEpochSecond(now));
        }
        vms.forEach(vm -> vm.replay().end(sample));
    }

    /** Those of the VMs that fit somewhere. */
    private List<NodeVm> place(List<List<TraceSeries>> vms, ReplayedNodes nodes, int sample, long passed, int first) {
        nodes.publish();
        return vms.stream()
                .flatMap(vm -> placed(vm, nodes, sample, passed, first).stream())
                .toList();
    }

    private Optional<NodeVm> placed(List<TraceSeries> series, ReplayedNodes nodes, int sample, long passed, int first) {
        var replay = new VmReplay(model, core, false);
        long start = series.stream()
                .mapToLong(one -> Double.isNaN(one.samples()[sample]) ? 1 : replay.units(one, one.samples()[sample]))
                .max()
                .orElse(1);
        return nodes.place(
                        series.getFirst().vm(),
                        core.computeUnit().times(start),
                        core.computeUnit().times(replay.most(series)),
                        Instant.ofEpochSecond(passed))
                .map(placed -> {
                    var scaled = replay.scaled(series, policy, first, start, placed);
                    scaled.begin(sample, passed);
                    return new NodeVm(scaled, placed, end(series));
                });
    }

    private static int fullest(List<NodeVm> vms) {
        var byNode = new HashMap<String, Integer>();
        vms.forEach(vm -> byNode.merge(vm.placed().node(), 1, Integer::sum));
        return byNode.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
