package io.sluice.replay.core.recorded;

import java.util.List;
import java.util.Map;

/**
 * What the comparison of a recording with production's own core found.
 *
 * @param vms how many VMs were recorded
 * @param steps how many steps of runners were read
 * @param dropped how many messages the recorded processes dropped, as the recorder was too slow
 * @param cutOff whether a file ends within a line, as its recorder was killed
 * @param comparisons how many decisions compared how
 * @param deviations how many of the equal ones were made for a VM of another size than its last sample asks for
 * @param shadowSteps after how many steps a policy beside the one in force had a goal
 * @param shadowAbove after how many of them it was above that of the policy in force
 * @param shadowBelow after how many of them it was below
 * @param differences the first differing decision of some VMs
 */
public record RecordingScore(
        int vms,
        long steps,
        long dropped,
        boolean cutOff,
        Map<Comparison, Long> comparisons,
        Map<Deviation, Long> deviations,
        long shadowSteps,
        long shadowAbove,
        long shadowBelow,
        List<String> differences) {
    public RecordingScore {
        comparisons = Map.copyOf(comparisons);
        deviations = Map.copyOf(deviations);
        differences = List.copyOf(differences);
    }

    /** How many decisions were recorded. */
    public long decisions() {
        return comparisons.values().stream().mapToLong(Long::longValue).sum();
    }

    public long count(Comparison kind) {
        return comparisons.getOrDefault(kind, 0L);
    }

    public long count(Deviation cause) {
        return deviations.getOrDefault(cause, 0L);
    }
}
