package io.sluice.pressure.core.migrations;

/** The party that began a migration. */
public enum MigrationOrigin {
    /** This process. */
    HERE,
    /** An earlier process, or a scheduler of the same kind: treated like a migration of this process. */
    ADOPTED,
    /** Another party: the migration is followed and never ended by this role. */
    OTHERS;

    /** Whether this role ends it when it takes too long, and deletes its object when it has ended. */
    boolean ours() {
        return this != OTHERS;
    }
}
