package io.sluice.messages.vm;

import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.time.Duration;
import java.util.Objects;

/**
 * Patches a VM to a new size.
 *
 * @param vm which VM
 * @param podName the pod that the VM must still run in; a VM that was moved or restarted meanwhile is not patched
 * @param target its new size; memory is a whole number of slots
 * @param revision the goal that this patch serves
 * @param fence the fence that the VM must still have
 * @param nextFence the fence that the patch writes in its place
 * @param sendWithin the patch may be sent no later than this after the request was sent; a request that arrives later
 *     is not sent to the API server
 */
public record PatchVm(
        VmId vm,
        String podName,
        Resources target,
        Revision revision,
        String fence,
        String nextFence,
        Duration sendWithin) {
    public PatchVm {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(podName, "podName");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(revision, "revision");
        Objects.requireNonNull(fence, "fence");
        Objects.requireNonNull(nextFence, "nextFence");
        Objects.requireNonNull(sendWithin, "sendWithin");
    }
}
