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
 */
public record MigrateVm(VmId vm, String podName, String roomOn, Duration completionTimeout) {
    public MigrateVm {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(podName, "podName");
        Objects.requireNonNull(roomOn, "roomOn");
        Objects.requireNonNull(completionTimeout, "completionTimeout");
    }

    /** The name of the migration's object. */
    public String migration() {
        return "schedplugin-" + podName;
    }
}
