package io.sluice.messages.ledger;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What decides whether, when and how a reservation's VM is migrated.
 *
 * @param charge its charge: reserved after overcommit
 * @param overcommit how its charge is divided
 * @param unit the compute unit of its agent's last request; zero before the first
 * @param load1 the 1-minute load of its agent's last request; empty where no request with metrics has come since the
 *     pod came, or it is migrating
 * @param createdAtSeconds creation time of its pod, in seconds since 1970
 * @param autoscaled whether an agent scales it
 * @param migratable whether it may be moved
 * @param alwaysMigrate whether it is moved whenever that is possible, for tests
 * @param held whether it is a hold for a pod that is not bound yet
 * @param migrationTarget whether it is the target of a migration
 * @param marks of the migrations that take its VM away
 * @param heldFor the attempt that its room is held for, or was held for until this target of a migration took it over;
 *     empty where there was no hold, or one that names none
 * @param fixed what is reserved of the other kinds
 */
public record ReservationTraits(
        Resources charge,
        Overcommit overcommit,
        Resources unit,
        Optional<Float> load1,
        long createdAtSeconds,
        boolean autoscaled,
        boolean migratable,
        boolean alwaysMigrate,
        boolean held,
        boolean migrationTarget,
        List<MigrationMark> marks,
        String heldFor,
        FixedAmounts fixed) {
    /** Of a reservation of which only the amounts are known. */
    public static final ReservationTraits NONE = new ReservationTraits(
            Resources.NONE,
            Overcommit.OFF,
            Resources.NONE,
            Optional.empty(),
            0,
            false,
            false,
            false,
            false,
            false,
            List.of(),
            AttemptId.NONE,
            FixedAmounts.NONE);

    /** Of a reservation of CPU and memory alone. */
    public ReservationTraits(
            Resources charge,
            Overcommit overcommit,
            Resources unit,
            Optional<Float> load1,
            long createdAtSeconds,
            boolean autoscaled,
            boolean migratable,
            boolean alwaysMigrate,
            boolean held,
            boolean migrationTarget,
            List<MigrationMark> marks,
            String heldFor) {
        this(
                charge,
                overcommit,
                unit,
                load1,
                createdAtSeconds,
                autoscaled,
                migratable,
                alwaysMigrate,
                held,
                migrationTarget,
                marks,
                heldFor,
                FixedAmounts.NONE);
    }

    /** Of a bound reservation without migration marks. */
    public ReservationTraits(
            Resources charge,
            Overcommit overcommit,
            Resources unit,
            Optional<Float> load1,
            long createdAtSeconds,
            boolean autoscaled,
            boolean migratable,
            boolean alwaysMigrate,
            boolean held,
            boolean migrationTarget) {
        this(
                charge,
                overcommit,
                unit,
                load1,
                createdAtSeconds,
                autoscaled,
                migratable,
                alwaysMigrate,
                held,
                migrationTarget,
                List.of(),
                AttemptId.NONE);
    }

    public ReservationTraits {
        Objects.requireNonNull(charge, "charge");
        Objects.requireNonNull(overcommit, "overcommit");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(load1, "load1");
        marks = List.copyOf(marks);
        Objects.requireNonNull(heldFor, "heldFor");
        Objects.requireNonNull(fixed, "fixed");
    }
}
