package io.sluice.replay.core.nodes;

import io.sluice.replay.core.score.PolicyScore;
import java.util.List;

/**
 * What a fleet on nodes of limited size was given and lacked under one policy.
 *
 * @param policy its name
 * @param sums of the VMs that were placed, for each resource
 * @param unplaced how many VMs fit nowhere
 * @param denied how many upscales the ledger denied, in whole or in part
 * @param fullestNode how many VMs stand on the node with the most at the end
 * @param migrationSeconds the mean time that a migration took
 * @param use for each sample a character for each node: {@code -} if nothing is reserved there, else the tenth of the
 *     node that is
 * @param migrationsBySample how many were begun in each
 */
public record NodesScore(
        String policy,
        List<PolicyScore> sums,
        int unplaced,
        long denied,
        int fullestNode,
        double migrationSeconds,
        List<String> use,
        List<Integer> migrationsBySample) {
    public NodesScore {
        sums = List.copyOf(sums);
        use = List.copyOf(use);
        migrationsBySample = List.copyOf(migrationsBySample);
    }

    /** How many migrations were begun. */
    public int migrations() {
        return migrationsBySample.stream().mapToInt(Integer::intValue).sum();
    }
}
