package io.sluice.messages.vm;

import java.util.Objects;

/**
 * Deletes a migration's object: one that has ended is removed, any other is cancelled by that.
 *
 * @param driver the driver of the VM, as in its id
 * @param namespace of the object
 * @param name of the object
 * @param uid of the object; another object of that name is left alone
 */
public record EndMigration(String driver, String namespace, String name, String uid) {
    public EndMigration {
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uid, "uid");
    }
}
