package io.sluice.gateway.core.extender;

import io.sluice.messages.placement.NodeRanks.NodeRank;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The ranks of nodes that were just given for a pod. kube-scheduler calls {@code prioritize} right after
 * {@code filter}, with the nodes that fit, so they are ranked once for both.
 */
public final class RecentRanks {
    private static final Duration VALID = Duration.ofSeconds(1);

    /** kube-scheduler filters one pod at a time. */
    private static final int PODS_MAX = 16;

    private final LinkedHashMap<String, Ranks> pods = new LinkedHashMap<>();

    private record Ranks(List<NodeRank> fitting, Instant at) {}

    /** Records the ranks that a pod was given. */
    public void given(String uid, List<NodeRank> ranks, Instant now) {
        pods.putLast(uid, new Ranks(ranks.stream().filter(NodeRank::fits).toList(), now));
        if (pods.size() > PODS_MAX) {
            pods.pollFirstEntry();
        }
    }

    /**
     * Takes the ranks of a pod, so that they serve once.
     *
     * @param nodes the nodes whose ranks are needed, in their order
     * @return empty if they are too old, or of other nodes
     */
    public Optional<List<NodeRank>> take(String uid, List<String> nodes, Instant now) {
        return Optional.ofNullable(pods.remove(uid))
                .filter(given -> !now.isAfter(given.at().plus(VALID)))
                .map(Ranks::fitting)
                .filter(fitting -> isOf(fitting, nodes));
    }

    private static boolean isOf(List<NodeRank> ranks, List<String> nodes) {
        boolean same = ranks.size() == nodes.size();
        for (int node = 0; same && node < nodes.size(); node++) {
            same = ranks.get(node).node().equals(nodes.get(node));
        }
        return same;
    }
}
