package io.sluice.messages.billing;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** The reply to {@link ReadVmBill}, by the process that leads billing. */
public sealed interface VmBill {
    /**
     * What that process billed of the VM, and of earlier VMs of its name.
     *
     * @param since since when that is known: an earlier hour may lack what another process billed
     * @param hours the hours, of the present one and the 23 before, in which anything was billed or missed; the oldest
     *     first
     */
    record Billed(Instant since, List<Hour> hours) implements VmBill {
        public Billed {
            Objects.requireNonNull(since, "since");
            hours = List.copyOf(hours);
        }
    }

    /**
     * Nothing is known of the VM, because more VMs are billed than are remembered.
     *
     * @param vmsMax how many are remembered
     */
    record Unknown(int vmsMax) implements VmBill {}

    /**
     * One hour of the clock, in UTC.
     *
     * @param startSeconds when it begins, in seconds since 1970
     * @param computeSeconds vCPU-seconds that were billed
     * @param activeSeconds seconds in use that were billed
     * @param restartMs time that was not billed because no process billed then, in milliseconds
     * @param watchMs time that was not billed because changes of VMs were not received, in milliseconds
     */
    record Hour(long startSeconds, long computeSeconds, long activeSeconds, long restartMs, long watchMs) {}
}
