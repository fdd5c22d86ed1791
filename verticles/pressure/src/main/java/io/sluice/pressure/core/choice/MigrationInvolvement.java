package io.sluice.pressure.core.choice;

/** Whether a member has to do with a migration that is known, whatever the books of its node show yet. */
public enum MigrationInvolvement {
    /** None of its VM is known. */
    FREE,
    /** One that takes its VM away from it is being arranged or under way. */
    LEAVING,
    /** One of its VM is known otherwise: it leads here, or is over and not cleaned away yet. */
    TAKEN
}
