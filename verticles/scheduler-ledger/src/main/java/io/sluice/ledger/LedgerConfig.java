package io.sluice.ledger;

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
 * @param permitValidFor how long after its question was sent growth on a permit may start; a VM whose agent was not
 *     heard since the books were lost stays at its maximum a second longer than this
 * @param watermark the share of a node above which VMs should leave it, above 0 and at most 1
 * @param systemReserve what is taken off the CPU and memory that each node can give to pods, and never promised: an
 *     amount, or a share of the node
 * @param trustLastPermit when an agent's word for its last permit counts beyond the books: {@code recovery} only until
 *     its first question after the books were lost, {@code always} for playing recorded histories
 * @param notReadyGrace how long VMs on a node whose condition Ready is False or Unknown are still granted growth, as
 *     kubelets restart; nothing new is held there from the first moment
 * @param checkInvariants whether each command is followed by a recount of its node's books; what does not add up is
 *     logged as an error and counted
 */
public record LedgerConfig(
        Duration permitValidFor,
        double watermark,
        Portions systemReserve,
        LastPermitTrust trustLastPermit,
        Duration notReadyGrace,
        boolean checkInvariants) {
    private static final Duration VALID_FOR_MAX = Duration.ofMinutes(10);

    /** What holds where the configuration says nothing. */
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

    /** Why this cannot take the place of what holds now without a restart; empty where it can. */
    Optional<String> unchangeable(LedgerConfig now) {
        if (!permitValidFor.equals(now.permitValidFor)) {
            return Optional.of("ledger.permitValidFor cannot change while running: permits were given for "
                    + Durations.text(now.permitValidFor));
        }
        if (!systemReserve.equals(now.systemReserve)) {
            return Optional.of("ledger.systemReserve cannot change while running: nodes have promised up to what it"
                    + " leaves them now");
        }
        if (trustLastPermit != now.trustLastPermit) {
            return Optional.of("ledger.trustLastPermit cannot change while running: it is " + now.trustLastPermit
                    + " for all that was booked");
        }
        return Optional.empty();
    }

    /** What commands run by. */
    public LedgerRules rules() {
        return new LedgerRules(
                permitValidFor, watermark, systemReserve, trustLastPermit, notReadyGrace, checkInvariants);
    }
}
