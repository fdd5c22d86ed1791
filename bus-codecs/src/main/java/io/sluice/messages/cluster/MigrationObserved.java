package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * A VM's migration is to begin, is under way or has ended: its object still exists.
 *
 * @param driver the driver that migrates it, as in the VM's id
 * @param namespace of the object and of its VM
 * @param name of the object
 * @param uid of the object
 * @param version grows with each change of the object; an older observation is dropped
 * @param vmName the VM that migrates
 * @param phase how far it is
 * @param sourcePod name of the pod that the VM leaves; empty while it is not chosen
 * @param targetPod name of the pod that the VM is moved to; empty while it is not chosen
 * @param roomOn the node on which its creator held room for it; empty where the object does not name one
 * @param ours whether Sluice or a scheduler like it created it, so that its object is deleted once it has ended
 * @param deleting whether its deletion, and so its cancellation, was requested
 * @param createdAtSeconds creation time, in seconds since 1970
 * @param attempt the id under which its room is held and its VM marked: the id that its creator wrote on the object, or
 *     its uid
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
