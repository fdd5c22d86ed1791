package io.sluice.ledger.core;

/** How much of a node ledger is checked after a command. */
public enum InvariantChecks {
    /** Nothing. */
    NONE,
    /** What the command changed. The whole node ledger is counted again at each tick and each full list. */
    CHANGES,
    /** The whole node ledger, after each command that changed it. */
    WHOLE;

    /** Whether the whole node ledger is counted again after this command. */
    boolean isWhole(LedgerCommand<?> command) {
        return switch (this) {
            case NONE -> false;
            case CHANGES -> command instanceof LedgerCommand.Tick || command instanceof LedgerCommand.Load;
            case WHOLE -> true;
        };
    }
}
