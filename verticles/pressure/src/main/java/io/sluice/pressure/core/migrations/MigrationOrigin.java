package io.sluice.pressure.core.migrations;

/** Who began a migration. */
public enum MigrationOrigin {
    /** This process. */
    HERE,
    /** An earlier process, or a scheduler like it: it is treated like one of ours. */
    ADOPTED,
    /** Somebody else: it is watched, and never ended by us. */
    OTHERS;

    /** Whether it is given up when it takes too long, and cleaned away when it is over. */
    boolean ours() {
        return this != OTHERS;
    }
}
