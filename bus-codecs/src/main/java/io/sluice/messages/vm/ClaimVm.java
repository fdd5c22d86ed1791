package io.sluice.messages.vm;

import io.sluice.units.VmId;
import java.util.Objects;

/**
 * A runner writes its own fence on a VM, so that nobody before it can patch any more.
 *
 * @param vm which VM
 * @param runner the runner's id; the fence becomes {@code runner+version/0}, with the version of the object that it was
 *     written over
 */
public record ClaimVm(VmId vm, String runner) {
    private static final String SETTLER = "settle-";

    public ClaimVm {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(runner, "runner");
    }

    /**
     * In whose name a VM is claimed that nobody speaks for, to shut out whoever did; {@code suffix} is unlike any
     * other.
     */
    public static String settler(String suffix) {
        return SETTLER + suffix;
    }

    /** Whether a fence was written in such a name: nobody else speaks for the VM. */
    public static boolean bySettler(String fence) {
        return fence.startsWith(SETTLER);
    }
}
