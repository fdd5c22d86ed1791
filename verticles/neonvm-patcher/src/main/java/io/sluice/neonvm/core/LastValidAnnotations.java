package io.sluice.neonvm.core;

import java.util.Map;
import java.util.Set;

/**
 * What was good of one VM's annotations when they were read last.
 *
 * @param version of the object that they were read of; negative while none was
 * @param texts each as it stood there; one that was not there is not here
 * @param never those that have not been good yet
 */
record LastValidAnnotations(long version, Map<String, String> texts, Set<String> never) {
    /** Of a VM that was never read. */
    static final LastValidAnnotations NONE = new LastValidAnnotations(-1, Map.of(), Set.of());

    LastValidAnnotations {
        texts = Map.copyOf(texts);
        never = Set.copyOf(never);
    }

    boolean has(String annotation) {
        return version >= 0 && !never.contains(annotation);
    }

    /** Empty where it was not there, which is good. */
    String of(String annotation) {
        return texts.getOrDefault(annotation, "");
    }
}
