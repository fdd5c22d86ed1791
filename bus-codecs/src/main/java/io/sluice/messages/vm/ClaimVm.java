package io.sluice.messages.vm;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * Writes a runner's fence on a VM, so that no earlier runner can patch it any more.
 *
 * @param vm which VM
 * @param runner the runner's id; the fence becomes {@code runner+version/0}, with the version of the object that it was
 *     written over
 */
public record ClaimVm(VmId vm, String runner) {
    private static final String RECLAIMER = "settle-";

    public ClaimVm {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(runner, "runner");
    }

    /**
     * The runner id with which a VM without a runner is claimed, so that earlier runners can no longer patch it;
     * {@code suffix} is unique.
     */
    public static String reclaimer(String suffix) {
        return RECLAIMER + suffix;
    }

    /** Whether a fence was written with such an id: the VM has no runner. */
    public static boolean byReclaimer(String fence) {
        return fence.startsWith(RECLAIMER);
    }
}
