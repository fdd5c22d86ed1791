package io.sluice.pressure.core.moving;

import java.util.Objects;

/**
 * Names a migration from before its object is made until it is gone.
 *
 * @param namespace of the object
 * @param name of the object
 */
public record MigrationKey(String namespace, String name) {
    public MigrationKey {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
