package io.sluice.messages.ledger;

/**
 * The mark of one migration on its source's reservation. A reservation may have several, each for a migration of its
 * own.
 *
 * @param attempt of the migration
 * @param begun whether the migration's object was observed: only then a full list without it shows that it is over
 */
public record MigrationMark(String attempt, boolean begun) {
    public MigrationMark {
        AttemptId.checked(attempt);
    }
}
