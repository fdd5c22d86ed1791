package io.sluice.pressure.core.migrations;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import java.util.Objects;

/**
 * The last state of a migration's object.
 *
 * @param driver the driver that migrates the VM
 * @param uid of the object; empty before it is created or observed
 * @param version of the newest observation, or of the object as it was created
 * @param received whether the object was observed; otherwise only its driver's reply is there
 * @param phase its phase
 * @param sourcePod name of the pod that the VM leaves; empty while it is not chosen
 * @param deleting whether its deletion was requested
 * @param createdAtSeconds creation time, in seconds since 1970; 0 before the first observation
 */
record MigrationObject(
        String driver,
        String uid,
        long version,
        boolean received,
        MigrationPhase phase,
        String sourcePod,
        boolean deleting,
        long createdAtSeconds) {
    MigrationObject {
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(sourcePod, "sourcePod");
    }

    /** Before the object is created. */
    static MigrationObject none(String driver) {
        return made(driver, "", Long.MIN_VALUE);
    }

    /** The object in the driver's reply. */
    static MigrationObject made(String driver, String uid, long version) {
        return new MigrationObject(driver, uid, version, false, MigrationPhase.NEW, "", false, 0);
    }

    static MigrationObject of(MigrationObserved observed) {
        return new MigrationObject(
                observed.driver(),
                observed.uid(),
                observed.version(),
                true,
                observed.phase(),
                observed.sourcePod(),
                observed.deleting(),
                observed.createdAtSeconds());
    }

    boolean known() {
        return !uid.isEmpty();
    }

    /** Whether the observation is old. A driver's reply has less content than an observation of the same version. */
    boolean matches(MigrationObserved observed) {
        return known() && (received ? observed.version() <= version : observed.version() < version);
    }

    /** Whether the VM is not being copied yet. */
    boolean waiting() {
        return phase == MigrationPhase.NEW || phase == MigrationPhase.PENDING;
    }
}
