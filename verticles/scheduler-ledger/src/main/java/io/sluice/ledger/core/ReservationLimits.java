package io.sluice.ledger.core;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What a member may be, as its object says.
 *
 * @param min it is never scaled below this
 * @param max it is never granted more
 * @param unit its compute unit as its last question gave it; nothing before the first one and for pods without a VM
 * @param autoscaled whether an agent scales it
 * @param migratable whether it may be moved away
 * @param alwaysMigrate whether it is moved whenever that is possible
 */
public record ReservationLimits(
        Resources min, Resources max, Resources unit, boolean autoscaled, boolean migratable, boolean alwaysMigrate) {
    public ReservationLimits {
        Objects.requireNonNull(min, "min");
        Objects.requireNonNull(max, "max");
        Objects.requireNonNull(unit, "unit");
    }

    /** Of a pod that has one size. */
    static ReservationLimits fixed(Resources size) {
        return new ReservationLimits(size, size, Resources.NONE, false, false, false);
    }

    ReservationLimits asking(Resources newUnit) {
        return new ReservationLimits(min, max, newUnit, autoscaled, migratable, alwaysMigrate);
    }
}
