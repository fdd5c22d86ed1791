package io.sluice.ledger;

import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.TrustLastPermit;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/**
 * The section {@code ledger} of the configuration.
 *
 * @param permitValidFor how long after its question was sent growth on a permit may start
 * @param watermark share of a node above which VMs should leave, in (0, 1]
 * @param systemReserve taken off what a node can give to pods
 * @param trustLastPermit when an agent's word for its last permit counts beyond the books
 * @param checkInvariants whether each command is followed by a recount of its node
 */
public record LedgerConfig(
        Duration permitValidFor,
        double watermark,
        Resources systemReserve,
        TrustLastPermit trustLastPermit,
        boolean checkInvariants) {
    private static final Duration VALID_FOR_MAX = Duration.ofMinutes(10);

    /** What holds where the configuration says nothing. */
    public static final LedgerConfig DEFAULTS =
            new LedgerConfig(Duration.ofSeconds(10), 0.9, Resources.NONE, TrustLastPermit.RECOVERY, true);

    public LedgerConfig {
        Objects.requireNonNull(permitValidFor, "ledger.permitValidFor");
        Objects.requireNonNull(systemReserve, "ledger.systemReserve");
        Objects.requireNonNull(trustLastPermit, "ledger.trustLastPermit");
        if (!permitValidFor.isPositive() || permitValidFor.compareTo(VALID_FOR_MAX) > 0) {
            throw new IllegalArgumentException(
                    "ledger.permitValidFor=" + permitValidFor + " must be above zero and at most " + VALID_FOR_MAX);
        }
        if (!(watermark > 0 && watermark <= 1)) {
            throw new IllegalArgumentException("ledger.watermark=" + watermark + " must be above 0 and at most 1");
        }
    }

    LedgerRules rules() {
        return new LedgerRules(permitValidFor, watermark, systemReserve, trustLastPermit, checkInvariants);
    }
}
