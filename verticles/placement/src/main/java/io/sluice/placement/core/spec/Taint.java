package io.sluice.placement.core.spec;

import java.util.Objects;

/** A taint of a node. */
public record Taint(String key, String value, Effect effect) {
    /** The taint of a cordoned node. */
    public static final Taint UNSCHEDULABLE = new Taint("node.kubernetes.io/unschedulable", "", Effect.NO_SCHEDULE);

    public Taint {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(effect, "effect");
    }

    /** What a taint does to pods that do not tolerate it. */
    public enum Effect {
        NO_SCHEDULE,
        PREFER_NO_SCHEDULE,
        NO_EXECUTE
    }

    /** Whether it keeps pods away, and not only if there is another node. */
    public boolean excludes() {
        return effect != Effect.PREFER_NO_SCHEDULE;
    }
}
