package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * A migration's object is gone, however it ended.
 *
 * @param namespace of the object
 * @param name of the object
 * @param uid of the object
 * @param vmName the VM of the migration
 * @param version of its deletion, or of the full list that it was not in
 */
public record MigrationGone(String namespace, String name, String uid, String vmName, long version) {
    public MigrationGone {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(vmName, "vmName");
    }
}
