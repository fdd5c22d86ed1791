package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.LabelSelector;
import io.sluice.placement.core.spec.PodSpec;
import io.sluice.placement.core.spec.Requirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pods on nodes by the labels that selectors have asked for, as long as a label is among the last ones. */
final class PodsByLabel {
    private static final int LABELS_MAX = 32;

    private final Map<String, PodSpec> pods = new HashMap<>();
    private final Map<String, Map<String, Map<String, PodSpec>>> labels = new LinkedHashMap<>(16, 0.75f, true);

    void add(PodSpec pod) {
        pods.put(pod.uid(), pod);
        labels.forEach((label, values) -> add(pod, label, values));
    }

    private static void add(PodSpec pod, String label, Map<String, Map<String, PodSpec>> values) {
        var value = pod.labels().get(label);
        if (value != null) {
            values.computeIfAbsent(value, added -> new HashMap<>()).put(pod.uid(), pod);
        }
    }

    Optional<PodSpec> find(String uid) {
        return Optional.ofNullable(pods.get(uid));
    }

    Optional<PodSpec> remove(String uid) {
        var pod = Optional.ofNullable(pods.remove(uid));
        pod.ifPresent(removed -> labels.forEach((label, values) -> remove(removed, label, values)));
        return pod;
    }

    private static void remove(PodSpec pod, String label, Map<String, Map<String, PodSpec>> values) {
        var value = pod.labels().get(label);
        if (value != null) {
            var same = values.get(value);
            same.remove(pod.uid());
            if (same.isEmpty()) {
                values.remove(value);
            }
        }
    }

    /** All pods that a selector may match, and maybe others. */
    Collection<PodSpec> candidates(LabelSelector selector) {
        return selector.requirements().stream()
                .filter(requirement -> requirement.operator() == Requirement.Operator.IN)
                .findFirst()
                .map(this::candidates)
                .orElse(pods.values());
    }

    private Collection<PodSpec> candidates(Requirement requirement) {
        var values = labels.get(requirement.key());
        if (values == null) {
            values = new HashMap<>();
            for (var pod : pods.values()) {
                add(pod, requirement.key(), values);
            }
            labels.put(requirement.key(), values);
            if (labels.size() > LABELS_MAX) {
                labels.remove(labels.keySet().iterator().next());
            }
        }
        List<PodSpec> candidates = new ArrayList<>();
        for (var value : requirement.values()) {
            candidates.addAll(values.getOrDefault(value, Map.of()).values());
        }
        return candidates;
    }
}
