package io.sluice.placement.core.spec;

import java.util.List;
import java.util.Objects;

/**
 * What a pod prefers of the pods near it.
 *
 * @param pods near which pods it is preferred to be
 * @param spread its constraints that need not be met
 */
public record PodPreferences(List<Near> pods, List<SpreadConstraint> spread) {
    public static final PodPreferences NONE = new PodPreferences(List.of(), List.of());

    public PodPreferences {
        pods = List.copyOf(pods);
        spread = List.copyOf(spread);
    }

    /**
     * A preference for domains with some pods.
     *
     * @param weight by how much each such pod counts; below 0 against the domain
     */
    public record Near(int weight, PodTerm term) {
        public Near {
            Objects.requireNonNull(term, "term");
        }
    }
}
