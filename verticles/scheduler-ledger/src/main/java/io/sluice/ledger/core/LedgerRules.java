package io.sluice.ledger.core;

import io.sluice.shell.Portions;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/**
 * What the operator decided for all nodes; every process that keeps the same books must have the same.
 *
 * @param permitValidFor how long after its question was sent growth on a permit may start
 * @param watermark share of a node above which VMs should leave, in (0, 1]
 * @param systemReserve taken off what a node can give, so much or a share of it
 * @param trustLastPermit when an agent's word counts beyond the books
 * @param notReadyGrace how long VMs on a node that is not ready are still granted growth
 * @param checkInvariants whether each command is followed by a recount of the whole node
 */
public record LedgerRules(
        Duration permitValidFor,
        double watermark,
        Portions systemReserve,
        LastPermitTrust trustLastPermit,
        Duration notReadyGrace,
        boolean checkInvariants) {
    /** Covers the way of a question from its agent to here, and the coarseness of clocks. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private static final Duration USUAL_GRACE = Duration.ofSeconds(15);

    public LedgerRules {
        Objects.requireNonNull(permitValidFor, "permitValidFor");
        Objects.requireNonNull(systemReserve, "systemReserve");
        Objects.requireNonNull(trustLastPermit, "trustLastPermit");
        Objects.requireNonNull(notReadyGrace, "notReadyGrace");
        if (!permitValidFor.isPositive()) {
            throw new IllegalArgumentException("permitValidFor must be above zero: " + permitValidFor);
        }
        if (!(watermark > 0 && watermark <= 1)) {
            throw new IllegalArgumentException("watermark must be above 0 and at most 1: " + watermark);
        }
    }

    /** With the usual grace for nodes that are not ready: kubelets restart. */
    public LedgerRules(
            Duration permitValidFor,
            double watermark,
            Portions systemReserve,
            LastPermitTrust trustLastPermit,
            boolean checkInvariants) {
        this(permitValidFor, watermark, systemReserve, trustLastPermit, USUAL_GRACE, checkInvariants);
    }

    /** After this long without a question no permit given before can start growth any more. */
    public Duration permitsOver() {
        return permitValidFor.plus(MARGIN);
    }

    /** What a node can promise of what it has. */
    public Resources total(Resources allocatable) {
        return allocatable.minus(systemReserve.of(allocatable));
    }

    /** The product in 64-bit floating point, rounded down; now and then one below the exact one. */
    public Resources watermark(Resources total) {
        return KindArithmetic.each(kind -> watermark(total, kind));
    }

    private long watermark(Resources total, ResourceKind kind) {
        return (long) Math.floor(total.of(kind) * watermark);
    }
}
