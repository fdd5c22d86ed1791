package io.sluice.placement.core.spec;

import java.util.Objects;

/**
 * A topology spread constraint that must be met.
 *
 * @param maxSkew the largest difference between a domain's pods and the fewest pods of any domain
 * @param topologyKey the label whose value is the domain of a node
 * @param selector of the pods that are counted, in the pod's namespace
 * @param minDomains with fewer domains, the fewest pods count as 0
 * @param honorAffinity whether only nodes count that the pod's node affinity allows
 * @param honorTaints whether only nodes count whose taints the pod tolerates
 */
public record SpreadConstraint(
        int maxSkew,
        String topologyKey,
        LabelSelector selector,
        int minDomains,
        boolean honorAffinity,
        boolean honorTaints) {
    public SpreadConstraint {
        Objects.requireNonNull(topologyKey, "topologyKey");
        Objects.requireNonNull(selector, "selector");
    }
}
