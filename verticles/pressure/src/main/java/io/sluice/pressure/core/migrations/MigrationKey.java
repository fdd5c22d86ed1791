package io.sluice.pressure.core.migrations;

import java.util.Objects;

/**
 * Names a migration from before its object is made until it is gone.
 *
 * @param namespace of the object
 * @param name of the object
 * @param attempt of which the object is, or will be: several attempts may have the same name after one another
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
