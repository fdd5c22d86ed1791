package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * A VM is to be moved, is being moved, or was: the object that says so is still there.
 *
 * @param driver who moves it, as in the VM's id
 * @param namespace of the object and of its VM
 * @param name of the object
 * @param uid of the object
 * @param version grows with each change of the object; an older fact is dropped
 * @param vmName the VM that moves
 * @param phase how far it is
 * @param sourcePod name of the pod that the VM leaves; empty while it is not chosen
 * @param targetPod name of the pod that the VM is moved to; empty while it is not chosen
 * @param roomOn the node on which room was held for it by whoever began it; empty where that is not written
 * @param ours whether it was begun by Sluice or a scheduler like it, and is to be cleaned away once it has ended
 * @param deleting whether its deletion, and so its cancellation, was asked for
 * @param createdAtSeconds creation time, in seconds since 1970
 * @param attempt under which its room is held and its VM marked: what whoever began it wrote on the object, or its uid
 */
public record MigrationObserved(
        String driver,
        String namespace,
        String name,
        String uid,
        long version,
        String vmName,
        MigrationPhase phase,
        String sourcePod,
        String targetPod,
        String roomOn,
        boolean ours,
        boolean deleting,
        long createdAtSeconds,
        String attempt) {
    public MigrationObserved {
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(vmName, "vmName");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(sourcePod, "sourcePod");
        Objects.requireNonNull(targetPod, "targetPod");
        Objects.requireNonNull(roomOn, "roomOn");
        Objects.requireNonNull(attempt, "attempt");
    }
}
