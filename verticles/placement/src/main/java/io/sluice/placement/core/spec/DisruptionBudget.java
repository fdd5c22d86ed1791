package io.sluice.placement.core.spec;

import java.util.Objects;
import java.util.Set;

/**
 * A disruption budget.
 *
 * @param selector the pods in its namespace that it protects
 * @param allowed how many of them may be evicted now
 * @param disrupted the names of pods of which the API server has allowed the eviction already
 */
public record DisruptionBudget(
        String namespace, String name, LabelSelector selector, int allowed, Set<String> disrupted) {
    public DisruptionBudget {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(selector, "selector");
        disrupted = Set.copyOf(disrupted);
    }

    /**
     * Whether evicting the pod counts against it. As in kube-scheduler, a selector without requirements selects none.
     */
    public boolean counts(PodSpec pod) {
        return !selector.everything() && protects(pod);
    }

    /** The same for the Eviction API, where a selector without requirements selects all. */
    public boolean protects(PodSpec pod) {
        return namespace.equals(pod.namespace())
                && !pod.labels().isEmpty()
                && selector.matches(pod.labels())
                && !disrupted.contains(pod.id().name());
    }
}
