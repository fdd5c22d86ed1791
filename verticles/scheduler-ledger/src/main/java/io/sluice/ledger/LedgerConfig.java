package io.sluice.ledger;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.shell.Portions;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The section {@code ledger} of the configuration.
 *
 * @param permitValidFor the longest time from sending a permit request to the start of growth on its permit. After a
 *     loss of state a VM without a request of its agent keeps its maximum for one second longer than this
 * @param watermark the share of a node above which VMs should leave it; above 0 and at most 1
 * @param systemReserve what each node keeps of the CPU and memory that it can give to pods: an amount, or a share of
 *     the node
 * @param trustLastPermit when an agent's report of its last permit counts beyond the ledger's state. {@code recovery}:
 *     until its first request after a loss of state; {@code always}: for replays of recorded histories
 * @param notReadyGrace how long VMs on a node whose condition Ready is False or Unknown are still granted growth, as
 *     kubelets restart. Holds are refused there at once
 * @param checkInvariants whether what a command has changed is checked after it, and each node ledger as a whole once a
 *     second and at each full list; a violation is logged as an error and counted
 */
public record LedgerConfig(
        Duration permitValidFor,
        double watermark,
        Portions systemReserve,
        LastPermitTrust trustLastPermit,
        Duration notReadyGrace,
        boolean checkInvariants) {
    private static final Duration VALID_FOR_MAX = Duration.ofMinutes(10);

    /** The defaults. */
    public static final LedgerConfig DEFAULTS = new LedgerConfig(
            Duration.ofSeconds(10), 0.9, Portions.NOTHING, LastPermitTrust.RECOVERY, Duration.ofSeconds(15), true);

    public LedgerConfig {
        Objects.requireNonNull(permitValidFor, "ledger.permitValidFor");
        Objects.requireNonNull(systemReserve, "ledger.systemReserve");
        Objects.requireNonNull(trustLastPermit, "ledger.trustLastPermit");
        Objects.requireNonNull(notReadyGrace, "ledger.notReadyGrace");
        if (!permitValidFor.isPositive() || permitValidFor.compareTo(VALID_FOR_MAX) > 0) {
            throw new IllegalArgumentException("ledger.permitValidFor=" + Durations.text(permitValidFor)
                    + " must be above zero and at most " + Durations.text(VALID_FOR_MAX));
        }
        if (notReadyGrace.isNegative()) {
            throw new IllegalArgumentException(
                    "ledger.notReadyGrace=" + Durations.text(notReadyGrace) + " must not be below zero");
        }
        if (!(watermark > 0 && watermark <= 1)) {
            throw new IllegalArgumentException("ledger.watermark=" + watermark + " must be above 0 and at most 1");
        }
    }

    /** Why this section cannot replace the present one without a restart; empty where it can. */
    Optional<String> unchangeable(LedgerConfig now) {
        if (!permitValidFor.equals(now.permitValidFor)) {
            return Optional.of("ledger.permitValidFor cannot change while running: permits were granted for "
                    + Durations.text(now.permitValidFor));
        }
        if (!systemReserve.equals(now.systemReserve)) {
            return Optional.of("ledger.systemReserve cannot change while running: nodes have granted up to what the"
                    + " present value leaves");
        }
        if (trustLastPermit != now.trustLastPermit) {
            return Optional.of("ledger.trustLastPermit cannot change while running: it is " + now.trustLastPermit
                    + " for all existing reservations");
        }
        return Optional.empty();
    }

    /** The rules that commands run with. */
    public LedgerRules rules() {
        return new LedgerRules(
                permitValidFor,
                watermark,
                systemReserve,
                trustLastPermit,
                notReadyGrace,
                checkInvariants ? InvariantChecks.CHANGES : InvariantChecks.NONE);
    }
}
