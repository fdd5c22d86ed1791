package io.sluice.messages.pressure;

import java.util.List;
import java.util.Objects;

/**
 * Who would leave a node, in that order, as things stand; then who would not, and why not.
 *
 * @param ranks those who could, the first to leave first, then those who could not, by name
 */
public record Ranking(List<Rank> ranks) {
    /**
     * One member's place.
     *
     * @param member the pod's uid
     * @param vmName its VM; empty for a pod without one
     * @param candidate whether it could leave
     * @param reason in words: what put it there, or why it could not leave
     */
    public record Rank(String member, String vmName, boolean candidate, String reason) {
        public Rank {
            Objects.requireNonNull(member, "member");
            Objects.requireNonNull(vmName, "vmName");
            Objects.requireNonNull(reason, "reason");
        }
    }

    public Ranking {
        ranks = List.copyOf(ranks);
    }
}
