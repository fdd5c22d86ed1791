package io.sluice.messages.pressure;

import java.util.List;
import java.util.Objects;

/**
 * The current order in which VMs would leave a node, followed by the pods that cannot leave, with reasons.
 *
 * @param ranks those that could leave, the first to leave first, then those that could not, by name
 */
public record Ranking(List<Rank> ranks) {
    /**
     * The place of one pod.
     *
     * @param pod the pod's uid
     * @param vmName its VM; empty for a pod without one
     * @param candidate whether it could leave
     * @param reason in words: what put it there, or why it could not leave
     */
    public record Rank(String pod, String vmName, boolean candidate, String reason) {
        public Rank {
            Objects.requireNonNull(pod, "pod");
            Objects.requireNonNull(vmName, "vmName");
            Objects.requireNonNull(reason, "reason");
        }
    }

    public Ranking {
        ranks = List.copyOf(ranks);
    }
}
