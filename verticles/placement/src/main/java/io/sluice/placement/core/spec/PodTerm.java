package io.sluice.placement.core.spec;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A required term of a pod's affinity or anti-affinity. The API server has put {@code matchLabelKeys} and
 * {@code mismatchLabelKeys} into the selector.
 *
 * @param topologyKey the label whose value is the domain of a node
 * @param selector of the other pods
 * @param namespaces of the other pods, by name
 * @param namespaceSelector further namespaces of the other pods, by their labels
 */
public record PodTerm(
        String topologyKey, LabelSelector selector, Set<String> namespaces, LabelSelector namespaceSelector) {
    public PodTerm {
        Objects.requireNonNull(topologyKey, "topologyKey");
        Objects.requireNonNull(selector, "selector");
        namespaces = Set.copyOf(namespaces);
        Objects.requireNonNull(namespaceSelector, "namespaceSelector");
    }

    /** @param namespaceLabels the labels of the pod's namespace */
    public boolean matches(PodSpec pod, Map<String, String> namespaceLabels) {
        return (namespaces.contains(pod.namespace()) || namespaceSelector.matches(namespaceLabels))
                && selector.matches(pod.labels());
    }
}
