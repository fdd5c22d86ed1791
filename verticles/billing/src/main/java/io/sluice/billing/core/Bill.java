package io.sluice.billing.core;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What one VM is billed for under one endpoint, and how that stands to what the ledger held for it.
 *
 * @param vm as {@code namespace/name}; its uid where nobody wrote down more
 * @param endpoint who pays; may be empty
 * @param computeSeconds vCPU-seconds
 * @param activeSeconds seconds in use
 * @param checkedMilliCpuNs the exact use of the windows for which the ledger was asked: milli-CPU times nanoseconds
 * @param heldMilliCpuNs at most what it held in those
 * @param above windows that are billed for more than was held
 * @param unchecked windows for which it was not asked
 * @param unbilled time that is not billed, as nobody knows what was used
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

    /** Of nothing. */
    public static Bill empty(String vm, String endpoint) {
        return new Bill(vm, endpoint, 0, 0, BigInteger.ZERO, BigInteger.ZERO, 0, 0, Duration.ZERO);
    }

    /** And so many seconds more. */
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

    /** Both together, under this one's name. */
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

    /** And the check of one window. */
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

    /** And so much that is not billed. */
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

    /** The same of a VM that is known by name. */
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
