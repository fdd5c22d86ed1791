package io.sluice.messages.vm;

import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Objects;

/**
 * Creates a migration, by which a VM leaves its pod for one on another node.
 *
 * @param vm which VM
 * @param podName the pod that it leaves; the migration is named after it, so that a repeated request creates only one
 * @param roomOn the node on which room is held for it
 * @param completionTimeout how long it may take before it is given up
 * @param attempt written on the object, so that a process that finds it can identify the hold and the mark of this
 *     migration
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

    /** The name of the migration's object for that source pod. */
    public static String migrationOf(String podName) {
        return "schedplugin-" + podName;
    }
}
