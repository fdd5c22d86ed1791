package io.sluice.replay;

import io.sluice.agent.core.policy.VmPolicy;
import io.sluice.replay.Policies.ReplayedPolicy;
import io.sluice.replay.core.fleet.FleetPolicy;
import io.sluice.replay.core.fleet.FleetScore;
import io.sluice.replay.core.nodes.NodesScore;
import io.sluice.replay.core.recorded.RecordingScore;
import io.sluice.replay.core.score.PolicyScore;
import io.sluice.replay.core.score.VmScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a replay found.
 *
 * @param options what was asked for
 * @param policies the policies, in their order
 * @param series the series that were replayed and compared
 * @param notCompared how many other series have no sample before the first that counts; they count on nodes alone
 * @param first the first sample that counts
 * @param scores by series and policy; a series that a signal cut off has none
 * @param fleet the fleet under each policy that was finished; empty without nodes
 * @param leftOut the lines that were left out, the first ones by name
 * @param leftOutCount how many lines were left out
 * @param onNodes the fleet on nodes of limited size, under each policy that scales and was finished
 * @param recording the comparison of its decisions with production's own core, if a recording was replayed
 */
public record ReplayResult(
        ReplayOptions options,
        List<ReplayedPolicy> policies,
        List<TraceSeries> series,
        int notCompared,
        int first,
        List<VmScore[]> scores,
        List<FleetScore> fleet,
        List<String> leftOut,
        long leftOutCount,
        List<NodesScore> onNodes,
        Optional<RecordingScore> recording) {
    /** The indices of the series of a resource that every policy has a score of. */
    public List<Integer> finished(ResourceKind kind) {
        var finished = new ArrayList<Integer>();
        for (int i = 0; i < series.size(); i++) {
            if (series.get(i).kind() == kind && isFinished(i)) {
                finished.add(i);
            }
        }
        return finished;
    }

    private boolean isFinished(int index) {
        return Arrays.stream(scores.get(index)).allMatch(Objects::nonNull);
    }

    /** Whether nothing was cut off. */
    public boolean isComplete() {
        if (options.nodes() > 0 && fleet.size() < FleetPolicy.values().length) {
            return false;
        }
        long onNodesAll = policies.stream()
                .filter(policy -> VmPolicy.isOnline(policy.config().kind()))
                .count();
        if (options.nodeSpec().isPresent() && onNodes.size() < onNodesAll) {
            return false;
        }
        for (int i = 0; i < series.size(); i++) {
            if (!isFinished(i)) {
                return false;
            }
        }
        return true;
    }

    /** The resources of the trace. */
    public List<ResourceKind> kinds() {
        return Arrays.stream(ResourceKind.values())
                .filter(kind -> series.stream().anyMatch(one -> one.kind() == kind))
                .toList();
    }

    /** The sums of each policy for one resource. */
    public List<PolicyScore> sums(ResourceKind kind) {
        var finished = finished(kind);
        var sums = new ArrayList<PolicyScore>();
        for (int policy = 0; policy < policies.size(); policy++) {
            int at = policy;
            sums.add(PolicyScore.of(
                    policies.get(policy).config().name(),
                    kind,
                    finished.stream().map(index -> scores.get(index)[at]).toList()));
        }
        return sums;
    }
}
