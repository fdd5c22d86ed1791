package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.LabelSelector;
import io.sluice.placement.core.spec.PodSpec;
import java.util.Optional;
import java.util.Set;

/**
 * Which pods are counted.
 *
 * @param namespaces theirs; empty for any
 * @param terminating whether pods that are being deleted count
 */
record PodMatch(Optional<Set<String>> namespaces, LabelSelector selector, boolean terminating) {
    boolean matches(PodSpec pod) {
        return (terminating || !pod.terminating())
                && (namespaces.isEmpty() || namespaces.get().contains(pod.namespace()))
                && selector.matches(pod.labels());
    }
}
