package io.sluice.messages.ledger;

/**
 * Says of a reservation that one migration takes its VM away. Several may stand, each for a migration of its own.
 *
 * @param attempt of the migration
 * @param begun whether the migration's object has been there: only then a full list without it tells that it is over
 */
public record MigrationMark(String attempt, boolean begun) {
    public MigrationMark {
        AttemptId.checked(attempt);
    }
}
