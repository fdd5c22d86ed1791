package io.sluice.messages.pod;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * Requests what a pod uses, by a sample that is newer than the last one.
 *
 * @param vm the pod
 * @param node the node it runs on
 * @param after the time of the last sample that was received, in milliseconds since 1970; 0 for none
 */
public record ReadPodUse(VmId vm, String node, long after) {
    public ReadPodUse {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(node, "node");
    }
}
