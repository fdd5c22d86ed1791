package io.sluice.billing.core;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The bill of one VM under one endpoint, compared with what the ledger held for the VM.
 *
 * @param vm {@code namespace/name}; the VM's uid where no account line has its name
 * @param driver what applies a size to the VM; empty where no account line has it
 * @param endpoint the endpoint that pays; may be empty
 * @param computeSeconds vCPU-seconds
 * @param activeSeconds seconds in use
 * @param checkedMilliCpuNs exact use in the windows for which the amount held is known, in milli-CPU times nanoseconds
 * @param heldMilliCpuNs upper bound of what the ledger held in those windows, in milli-CPU times nanoseconds
 * @param above number of windows in which more was billed than held
 * @param unchecked number of windows for which the amount held is unknown
 * @param unbilled time that is not billed because the use is unknown
 * @param lateMilliCpuNs how much more the VM used than billed, because changes arrived late; negative if it used less
 */
public record Bill(
        String vm,
        String driver,
        String endpoint,
        long computeSeconds,
        long activeSeconds,
        BigInteger checkedMilliCpuNs,
        BigInteger heldMilliCpuNs,
        int above,
        int unchecked,
        Duration unbilled,
        BigInteger lateMilliCpuNs) {
    public Bill {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(unbilled, "unbilled");
        Objects.requireNonNull(lateMilliCpuNs, "lateMilliCpuNs");
    }

    /** Returns a bill with all amounts zero. */
    public static Bill empty(String vm, String endpoint) {
        return new Bill(vm, "", endpoint, 0, 0, BigInteger.ZERO, BigInteger.ZERO, 0, 0, Duration.ZERO, BigInteger.ZERO);
    }

    /** Returns this bill with more seconds. */
    public Bill plus(long moreComputeSeconds, long moreActiveSeconds) {
        return plus(part(moreComputeSeconds, moreActiveSeconds, BigInteger.ZERO, BigInteger.ZERO, 0, 0));
    }

    private Bill part(
            long compute, long active, BigInteger checked, BigInteger held, int moreAbove, int moreUnchecked) {
        return new Bill(
                vm,
                driver,
                endpoint,
                compute,
                active,
                checked,
                held,
                moreAbove,
                moreUnchecked,
                Duration.ZERO,
                BigInteger.ZERO);
    }

    private Bill with(Duration notBilled, BigInteger late) {
        return new Bill(
                vm,
                driver,
                endpoint,
                computeSeconds,
                activeSeconds,
                checkedMilliCpuNs,
                heldMilliCpuNs,
                above,
                unchecked,
                notBilled,
                late);
    }

    /** Returns the sum of both bills, with the VM and endpoint of this one. */
    public Bill plus(Bill other) {
        return new Bill(
                vm,
                driver,
                endpoint,
                computeSeconds + other.computeSeconds,
                activeSeconds + other.activeSeconds,
                checkedMilliCpuNs.add(other.checkedMilliCpuNs),
                heldMilliCpuNs.add(other.heldMilliCpuNs),
                above + other.above,
                unchecked + other.unchecked,
                unbilled.plus(other.unbilled),
                lateMilliCpuNs.add(other.lateMilliCpuNs));
    }

    /** Returns this bill with the check of one more window. */
    public Bill checked(BigInteger used, Optional<BigInteger> held) {
        int more = held.filter(most -> used.compareTo(most) > 0).isPresent() ? 1 : 0;
        return plus(held.map(most -> part(0, 0, used, most, more, 0))
                .orElseGet(() -> part(0, 0, BigInteger.ZERO, BigInteger.ZERO, 0, 1)));
    }

    /** Returns this bill with more unbilled time. */
    public Bill missing(Duration more) {
        return with(unbilled.plus(more), lateMilliCpuNs);
    }

    /** Returns this bill with more time in which the VM was larger than billed, or smaller. */
    public Bill late(Duration time, long milliCpu) {
        return with(
                unbilled,
                lateMilliCpuNs.add(BigInteger.valueOf(milliCpu).multiply(BigInteger.valueOf(time.toNanos()))));
    }

    /** Returns this bill for the VM of that name, with its driver. */
    public Bill of(String name, String vmDriver) {
        return new Bill(
                name,
                vmDriver,
                endpoint,
                computeSeconds,
                activeSeconds,
                checkedMilliCpuNs,
                heldMilliCpuNs,
                above,
                unchecked,
                unbilled,
                lateMilliCpuNs);
    }
}
