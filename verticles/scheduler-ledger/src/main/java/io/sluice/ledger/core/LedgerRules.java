package io.sluice.ledger.core;

import io.sluice.ledger.core.state.KindArithmetic;
import io.sluice.shell.Portions;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/**
 * The configured rules for all nodes. All processes that keep the same ledger need the same rules.
 *
 * @param permitValidFor for how long after its request was sent a permit may start growth
 * @param watermark the fraction of a node above which VMs are migrated away, in (0, 1]
 * @param systemReserve what is subtracted from what a node can give, as an amount or a fraction
 * @param trustLastPermit when the last permit that an agent names counts without a record of it
 * @param notReadyGrace for how long VMs on a node that is not ready are still granted growth
 * @param checks how much of a node ledger is checked after each command
 */
public record LedgerRules(
        Duration permitValidFor,
        double watermark,
        Portions systemReserve,
        LastPermitTrust trustLastPermit,
        Duration notReadyGrace,
        InvariantChecks checks) {
    /** Covers the transit time of a request from its agent to the ledger, and the resolution of clocks. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private static final Duration USUAL_GRACE = Duration.ofSeconds(15);

    public LedgerRules {
        Objects.requireNonNull(permitValidFor, "permitValidFor");
        Objects.requireNonNull(systemReserve, "systemReserve");
        Objects.requireNonNull(trustLastPermit, "trustLastPermit");
        Objects.requireNonNull(notReadyGrace, "notReadyGrace");
        Objects.requireNonNull(checks, "checks");
        if (!permitValidFor.isPositive()) {
            throw new IllegalArgumentException("permitValidFor must be above zero: " + permitValidFor);
        }
        if (!(watermark > 0 && watermark <= 1)) {
            throw new IllegalArgumentException("watermark must be above 0 and at most 1: " + watermark);
        }
    }

    /** With the default grace for nodes that are not ready; kubelets restart. */
    public LedgerRules(
            Duration permitValidFor,
            double watermark,
            Portions systemReserve,
            LastPermitTrust trustLastPermit,
            InvariantChecks checks) {
        this(permitValidFor, watermark, systemReserve, trustLastPermit, USUAL_GRACE, checks);
    }

    /** The time after its request from which a permit can no longer start growth. */
    public Duration permitsOver() {
        return permitValidFor.plus(MARGIN);
    }

    /** The part of a node's resources that the ledger may reserve. */
    public Resources total(Resources allocatable) {
        return allocatable.minus(systemReserve.of(allocatable));
    }

    /**
     * The watermark of a total, as a 64-bit floating point product rounded down; it may be one below the exact value.
     */
    public Resources watermark(Resources total) {
        return KindArithmetic.each(kind -> watermark(total, kind));
    }

    private long watermark(Resources total, ResourceKind kind) {
        return (long) Math.floor(total.of(kind) * watermark);
    }
}
