package io.sluice.placement.core.gangs;

import java.util.Comparator;
import java.util.Objects;

/** Names a gang. Gangs of two kinds are two gangs, even if their names are equal. */
public record GangKey(Kind kind, String namespace, String name) implements Comparable<GangKey> {
    private static final Comparator<GangKey> ORDER = Comparator.comparing(GangKey::namespace)
            .thenComparing(GangKey::name)
            .thenComparing(GangKey::kind);

    /** Where a gang is declared. */
    public enum Kind {
        /** A {@code PodGroup} of {@code scheduling.x-k8s.io}, which a label names. */
        X_K8S,
        /** A {@code PodGroup} of {@code scheduling.sigs.k8s.io}, which a label names. */
        SIGS,
        /** Annotations of Koordinator on its members. */
        ANNOTATIONS,
        /** A {@code PodGroup} of {@code scheduling.k8s.io}, which {@code spec.schedulingGroup} names. */
        KUBERNETES
    }

    public GangKey {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
    }

    /** Namespace and name, as people read them. */
    public String label() {
        return namespace + "/" + name;
    }

    @Override
    public int compareTo(GangKey other) {
        return ORDER.compare(this, other);
    }
}
