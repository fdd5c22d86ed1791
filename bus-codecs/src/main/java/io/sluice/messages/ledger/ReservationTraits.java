package io.sluice.messages.ledger;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What decides whether, when and how a member is moved to another node.
 *
 * @param charge what it counts at on its node: reserved after overcommit
 * @param overcommit how its charge is divided
 * @param unit its compute unit, as it last asked with; nothing before it asked
 * @param load1 the 1-minute load that came with its last question; empty for one that has not asked with metrics since
 *     it came, or is moving
 * @param createdAtSeconds creation time of its pod, in seconds since 1970
 * @param autoscaled whether an agent scales it
 * @param migratable whether it may be moved
 * @param alwaysMigrate whether it is moved whenever that is possible, for tests
 * @param held whether it is only held, and not bound yet
 * @param migrationTarget whether a migration is moving its VM here
 * @param marks of the migrations that take its VM away
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
        List<MigrationMark> marks) {
    /** Of a member that nothing but its amounts is known of. */
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
            List.of());

    /** Of a member that no migration takes away. */
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
                List.of());
    }

    public ReservationTraits {
        Objects.requireNonNull(charge, "charge");
        Objects.requireNonNull(overcommit, "overcommit");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(load1, "load1");
        marks = List.copyOf(marks);
    }
}
