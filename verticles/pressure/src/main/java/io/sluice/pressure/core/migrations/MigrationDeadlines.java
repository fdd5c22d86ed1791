package io.sluice.pressure.core.migrations;

import io.sluice.pressure.core.actions.MigrationOutcome;
import io.sluice.pressure.core.choice.ChoiceText;
import io.sluice.pressure.core.choice.PressureRules;
import java.time.Instant;
import java.util.Optional;

/** The deadlines of a migration. */
final class MigrationDeadlines {
    private MigrationDeadlines() {}

    /**
     * The end of a migration that missed a deadline; empty if it missed none.
     *
     * @param since when it was begun, or found
     */
    static Optional<MigrationStage.Ending> missed(
            Migration migration, Instant since, PressureRules rules, Instant now) {
        if (migration.object().waiting() && !now.isBefore(since.plus(rules.startTimeout()))) {
            return Optional.of(new MigrationStage.Ending(
                    MigrationOutcome.NOT_STARTED,
                    "it was not running after " + ChoiceText.duration(rules.startTimeout()) + ": "
                            + migration.arrival()));
        }
        if (tooOld(migration, since, rules, now)) {
            return Optional.of(new MigrationStage.Ending(
                    MigrationOutcome.TOO_LONG,
                    "it was not complete after " + ChoiceText.duration(rules.completionTimeout())));
        }
        return Optional.empty();
    }

    /** Whether it is older than any migration may be. */
    static boolean tooOld(Migration migration, Instant since, PressureRules rules, Instant now) {
        return !now.isBefore(begun(migration, since).plus(rules.completionTimeout()));
    }

    /**
     * A migration that was found is as old as its object. The object's time is of another clock, so it only counts if
     * it is earlier.
     */
    private static Instant begun(Migration migration, Instant since) {
        long created = migration.object().createdAtSeconds();
        boolean found = migration.about().origin() != MigrationOrigin.HERE && created > 0;
        return found && Instant.ofEpochSecond(created).isBefore(since) ? Instant.ofEpochSecond(created) : since;
    }
}
