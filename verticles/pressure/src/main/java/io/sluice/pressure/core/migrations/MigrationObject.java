package io.sluice.pressure.core.migrations;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import java.util.Objects;

/**
 * What is known of a migration's object.
 *
 * @param driver who moves the VM
 * @param uid of the object; empty while none is known
 * @param version of the newest fact, or of the object as it was made
 * @param heard whether a fact about it was heard, and not its driver's answer alone
 * @param phase how far it is
 * @param sourcePod name of the pod that the VM leaves; empty while it is not chosen
 * @param deleting whether its deletion was asked for
 * @param createdAtSeconds creation time, in seconds since 1970; 0 where no fact was heard
 */
record MigrationObject(
        String driver,
        String uid,
        long version,
        boolean heard,
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

    /** Before there is one. */
    static MigrationObject none(String driver) {
        return made(driver, "", Long.MIN_VALUE);
    }

    /** As its driver answers. */
    static MigrationObject made(String driver, String uid, long version) {
        return new MigrationObject(driver, uid, version, false, MigrationPhase.NEW, "", false, 0);
    }

    static MigrationObject of(MigrationObserved seen) {
        return new MigrationObject(
                seen.driver(),
                seen.uid(),
                seen.version(),
                true,
                seen.phase(),
                seen.sourcePod(),
                seen.deleting(),
                seen.createdAtSeconds());
    }

    boolean known() {
        return !uid.isEmpty();
    }

    /** Whether that fact tells nothing new; what its driver answered says less than a fact of the same version. */
    boolean knows(MigrationObserved seen) {
        return known() && (heard ? seen.version() <= version : seen.version() < version);
    }

    /** Whether the VM is not being copied yet. */
    boolean waiting() {
        return phase == MigrationPhase.NEW || phase == MigrationPhase.PENDING;
    }
}
