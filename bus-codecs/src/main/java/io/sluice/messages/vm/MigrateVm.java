package io.sluice.messages.vm;

import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Objects;

/**
 * A VM is to leave its pod for one on another node.
 *
 * @param vm which VM
 * @param podName the pod that it leaves; the migration is named after it, so that asking twice makes one
 * @param roomOn the node on which room is held for it
 * @param completionTimeout how long it may take before it is given up
 * @param attempt written on the object, so that whoever finds it knows whose room and mark are its own
 */
public record MigrateVm(VmId vm, String podName, String roomOn, Duration completionTimeout, String attempt) {
    public MigrateVm {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(podName, "podName");
        Objects.requireNonNull(roomOn, "roomOn");
        Objects.requireNonNull(completionTimeout, "completionTimeout");
        Objects.requireNonNull(attempt, "attempt");
    }

    /** The name of the migration's object. */
    public String migration() {
        return migrationOf(podName);
    }

    /** The name of the object of a migration that leaves that pod. */
    public static String migrationOf(String podName) {
        return "schedplugin-" + podName;
    }
}
