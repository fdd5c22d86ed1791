package io.sluice.ledger.core.state;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * The limits of a VM or pod, as its object declares them.
 *
 * @param min the VM is never scaled below this
 * @param max the VM is never granted more
 * @param unit the compute unit of the last permit request; zero before the first, and for pods without a VM
 * @param autoscaled whether an agent scales it
 * @param migratable whether it may be migrated
 * @param alwaysMigrate whether it is migrated whenever that is possible
 */
public record ReservationLimits(
        Resources min, Resources max, Resources unit, boolean autoscaled, boolean migratable, boolean alwaysMigrate) {
    public ReservationLimits {
        Objects.requireNonNull(min, "min");
        Objects.requireNonNull(max, "max");
        Objects.requireNonNull(unit, "unit");
    }

    /** The limits of a pod of fixed size. */
    public static ReservationLimits fixed(Resources size) {
        return new ReservationLimits(size, size, Resources.NONE, false, false, false);
    }

    public ReservationLimits requested(Resources newUnit) {
        return new ReservationLimits(min, max, newUnit, autoscaled, migratable, alwaysMigrate);
    }
}
