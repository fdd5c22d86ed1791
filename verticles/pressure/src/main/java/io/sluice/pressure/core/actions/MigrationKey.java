package io.sluice.pressure.core.actions;

import java.util.Objects;

/**
 * The key of a migration, from before its object is created until the object is gone.
 *
 * @param namespace of the object
 * @param name of the object
 * @param attempt the attempt that the object is of, or will be; later attempts may have the same name
 */
public record MigrationKey(String namespace, String name, String attempt) {
    public MigrationKey {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(attempt, "attempt");
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
