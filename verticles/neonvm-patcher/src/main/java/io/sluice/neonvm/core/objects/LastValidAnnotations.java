package io.sluice.neonvm.core.objects;

import java.util.Map;
import java.util.Set;

/**
 * The last valid values of one VM's annotations.
 *
 * @param version of the object from which they were read; negative if there is none
 * @param texts the values; absent annotations are not contained
 * @param never the annotations that have not been valid yet
 */
record LastValidAnnotations(long version, Map<String, String> texts, Set<String> never) {
    /** The value for a VM that was never read. */
    static final LastValidAnnotations NONE = new LastValidAnnotations(-1, Map.of(), Set.of());

    LastValidAnnotations {
        texts = Map.copyOf(texts);
        never = Set.copyOf(never);
    }

    boolean has(String annotation) {
        return version >= 0 && !never.contains(annotation);
    }

    /** Empty if the annotation was absent, which is valid. */
    String of(String annotation) {
        return texts.getOrDefault(annotation, "");
    }
}
