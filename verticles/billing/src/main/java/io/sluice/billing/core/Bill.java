package io.sluice.billing.core;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The bill of one VM under one endpoint, compared with what the ledger held for the VM.
 *
 * @param vm {@code namespace/name}; the VM's uid where no account line has its name
 * @param endpoint the endpoint that pays; may be empty
 * @param computeSeconds vCPU-seconds
 * @param activeSeconds seconds in use
 * @param checkedMilliCpuNs exact use in the windows for which the amount held is known, in milli-CPU times nanoseconds
 * @param heldMilliCpuNs upper bound of what the ledger held in those windows, in milli-CPU times nanoseconds
 * @param above number of windows in which more was billed than held
 * @param unchecked number of windows for which the amount held is unknown
 * @param unbilled time that is not billed because the use is unknown
 */
public record Bill(
        String vm,
        String endpoint,
        long computeSeconds,
        long activeSeconds,
        BigInteger checkedMilliCpuNs,
        BigInteger heldMilliCpuNs,
        int above,
        int unchecked,
        Duration unbilled) {
    public Bill {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(endpoint, "endpoint");
        Objects.requireNonNull(unbilled, "unbilled");
    }

    /** Returns a bill with all amounts zero. */
    public static Bill empty(String vm, String endpoint) {
        return new Bill(vm, endpoint, 0, 0, BigInteger.ZERO, BigInteger.ZERO, 0, 0, Duration.ZERO);
    }

    /** Returns this bill with more seconds. */
    public Bill plus(long moreComputeSeconds, long moreActiveSeconds) {
        return new Bill(
                vm,
                endpoint,
                computeSeconds + moreComputeSeconds,
                activeSeconds + moreActiveSeconds,
                checkedMilliCpuNs,
                heldMilliCpuNs,
                above,
                unchecked,
                unbilled);
    }

    /** Returns the sum of both bills, with the name and endpoint of this one. */
    public Bill plus(Bill other) {
        return new Bill(
                vm,
                endpoint,
                computeSeconds + other.computeSeconds,
                activeSeconds + other.activeSeconds,
                checkedMilliCpuNs.add(other.checkedMilliCpuNs),
                heldMilliCpuNs.add(other.heldMilliCpuNs),
                above + other.above,
                unchecked + other.unchecked,
                unbilled.plus(other.unbilled));
    }

    /** Returns this bill with the check of one more window. */
    public Bill checked(BigInteger used, Optional<BigInteger> held) {
        boolean isAbove = held.filter(most -> used.compareTo(most) > 0).isPresent();
        return new Bill(
                vm,
                endpoint,
                computeSeconds,
                activeSeconds,
                held.isPresent() ? checkedMilliCpuNs.add(used) : checkedMilliCpuNs,
                heldMilliCpuNs.add(held.orElse(BigInteger.ZERO)),
                above + (isAbove ? 1 : 0),
                unchecked + (held.isEmpty() ? 1 : 0),
                unbilled);
    }

    /** Returns this bill with more unbilled time. */
    public Bill missing(Duration more) {
        return new Bill(
                vm,
                endpoint,
                computeSeconds,
                activeSeconds,
                checkedMilliCpuNs,
                heldMilliCpuNs,
                above,
                unchecked,
                unbilled.plus(more));
    }

    /** Returns this bill with another VM name. */
    public Bill named(String name) {
        return new Bill(
                name,
                endpoint,
                computeSeconds,
                activeSeconds,
                checkedMilliCpuNs,
                heldMilliCpuNs,
                above,
                unchecked,
                unbilled);
    }
}
