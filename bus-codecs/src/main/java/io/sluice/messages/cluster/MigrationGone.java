package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * A migration's object is no longer there, however it ended.
 *
 * @param namespace of the object
 * @param name of the object
 * @param uid of the object
 * @param vmName the VM that was to move
 * @param version of its deletion, or of the listing that missed it
 */
public record MigrationGone(String namespace, String name, String uid, String vmName, long version) {
    public MigrationGone {
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(vmName, "vmName");
    }
}
