package io.sluice.pressure.core.choice;

/** How a reservation is involved in a migration, whatever the ledger of its node shows yet. */
public enum MigrationInvolvement {
    /** No migration of its VM exists. */
    FREE,
    /** A migration that takes its VM away is being arranged or under way. */
    LEAVING,
    /** Another migration of its VM exists: it leads here, or has ended and its object is not deleted yet. */
    TAKEN
}
