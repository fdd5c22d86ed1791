package io.sluice.replay.core.nodes;

import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.replay.core.score.PolicyScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.replay.core.vm.VmModel;
import io.sluice.replay.core.vm.VmReplay;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Replays all series of one resource on nodes of limited size: a VM grows only by what its node's ledger grants. Of the
 * other resource the nodes have plenty. The VMs take turns, each for one scrape period.
 */
public final class NodesReplay {
    private static final long PLENTY = 1L << 50;

    private final VmModel model;
    private final CoreConfig core;
    private final PolicyConfig policy;
    private final EqualNodes spec;
    private final NodeRules rules;

    /** @param policy of a kind that production can run */
    public NodesReplay(VmModel model, CoreConfig core, PolicyConfig policy, EqualNodes spec, NodeRules rules) {
        this.model = model;
        this.core = core;
        this.policy = policy;
        this.spec = spec;
        this.rules = rules;
    }

    private record Vm(VmReplay.ScaledReplay replay, ReplayedNodes.Placed placed) {}

    /** The score of the samples from {@code first} on; empty if it was to stop. */
    public Optional<NodesScore> score(List<TraceSeries> series, int first, BooleanSupplier stop) {
        var kind = series.getFirst().kind();
        boolean cpu = kind == ResourceKind.CPU;
        var total = cpu
                ? new Resources(spec.total().milliCpu(), PLENTY)
                : new Resources(PLENTY, spec.total().memoryBytes());
        var nodes = new ReplayedNodes(new EqualNodes(spec.count(), total), core.computeUnit(), rules);
        int begin = Math.max(0, first - VmReplay.SETTLING_SAMPLES);
        var vms = new ArrayList<Vm>();
        for (var one : series) {
            place(one, nodes, begin, first).ifPresent(vms::add);
        }
        for (int sample = begin; sample < series.getFirst().samples().length; sample++) {
            if (stop.getAsBoolean()) {
                return Optional.empty();
            }
            sample(vms, sample, series.getFirst().periodSeconds());
        }
        var scores = vms.stream().map(vm -> vm.replay().score()).toList();
        return Optional.of(new NodesScore(
                PolicyScore.of(policy.name(), kind, scores),
                series.size() - vms.size(),
                vms.stream().mapToLong(vm -> vm.placed().denied()).sum(),
                fullest(vms)));
    }

    private void sample(List<Vm> vms, int sample, int periodSeconds) {
        for (int second = 0; second < periodSeconds; second += model.scrapeSeconds()) {
            for (var vm : vms) {
                vm.replay().scrape(sample, second);
            }
        }
        vms.forEach(vm -> vm.replay().end(sample));
    }

    private Optional<Vm> place(TraceSeries series, ReplayedNodes nodes, int begin, int first) {
        double unit = series.kind() == ResourceKind.CPU ? model.unitMilliCpu() : model.unitMebibytes();
        long most = Math.max(1, (long) Math.ceil(series.capacity() / unit));
        double demand = series.samples()[begin];
        long start = Double.isNaN(demand) ? 1 : Math.clamp((long) Math.ceil(demand / unit), 1, most);
        var replay = new VmReplay(model, core, false);
        return nodes.place(
                        series.vm(),
                        core.computeUnit().times(start),
                        core.computeUnit().times(most))
                .map(placed -> new Vm(replay.scaled(series, policy, first, start, placed), placed));
    }

    private static int fullest(List<Vm> vms) {
        var byNode = new HashMap<String, Integer>();
        vms.forEach(vm -> byNode.merge(vm.placed().node(), 1, Integer::sum));
        return byNode.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
