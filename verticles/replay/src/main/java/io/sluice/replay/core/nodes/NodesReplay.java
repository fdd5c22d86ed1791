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
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Replays VMs on nodes of limited size, CPU and memory together: a VM grows only by what its node's ledger grants, and
 * leaves a node under pressure. The VMs take turns, each for one scrape period.
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
        var byVm = series.stream().collect(groupingBy(TraceSeries::vm, LinkedHashMap::new, toList()));
        int begin = VmReplay.start(first);
        var vms = byVm.values().stream()
                .flatMap(one -> place(one, nodes, begin, first).stream())
                .toList();
        var migrations = new ReplayedMigrations(nodes, model, rules.pressure(), vms);
        var use = new ArrayList<String>();
        var begun = new ArrayList<Integer>();
        for (int sample = begin; sample < series.getFirst().samples().length; sample++) {
            if (stop.getAsBoolean()) {
                return Optional.empty();
            }
            int before = migrations.begun();
            sample(vms, migrations, sample, sample - begin, series.getFirst().periodSeconds());
            if (sample >= first) {
                use.add(nodes.use());
                begun.add(migrations.begun() - before);
            }
        }
        return Optional.of(new NodesScore(
                policy.name(),
                sums(vms),
                byVm.size() - vms.size(),
                vms.stream().mapToLong(vm -> vm.placed().denied()).sum(),
                fullest(vms),
                migrations.secondsOfEach(),
                use,
                begun));
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
            long now = passed * periodSeconds + Math.min(periodSeconds, second + model.scrapeSeconds());
            migrations.look(Instant.ofEpochSecond(now));
        }
        vms.forEach(vm -> vm.replay().end(sample));
    }

    private Optional<NodeVm> place(List<TraceSeries> series, ReplayedNodes nodes, int begin, int first) {
        var replay = new VmReplay(model, core, false);
        long start = series.stream()
                .mapToLong(one -> Double.isNaN(one.samples()[begin]) ? 1 : replay.units(one, one.samples()[begin]))
                .max()
                .orElse(1);
        return nodes.place(
                        series.getFirst().vm(),
                        core.computeUnit().times(start),
                        core.computeUnit().times(replay.most(series)))
                .map(placed -> {
                    var scaled = replay.scaled(series, policy, first, start, placed);
                    scaled.hasRun(begin);
                    return new NodeVm(scaled, placed);
                });
    }

    private static int fullest(List<NodeVm> vms) {
        var byNode = new HashMap<String, Integer>();
        vms.forEach(vm -> byNode.merge(vm.placed().node(), 1, Integer::sum));
        return byNode.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
