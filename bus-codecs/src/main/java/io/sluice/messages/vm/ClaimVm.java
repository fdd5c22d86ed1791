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
    public ClaimVm {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(runner, "runner");
    }
}
