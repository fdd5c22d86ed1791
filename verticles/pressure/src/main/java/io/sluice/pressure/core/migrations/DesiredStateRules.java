package io.sluice.pressure.core.migrations;

import java.time.Instant;

/** The desired state of a migration's hold and mark. */
final class DesiredStateRules {
    private DesiredStateRules() {}

    /**
     * Room is held until the ledger counts the pod that it is for, or the migration has failed. After a success the VM
     * runs in that pod: its room must not be released before the ledger counts it. Where the target is not observed at
     * all, the hold ends by itself.
     */
    static DesiredRemoteState hold(Migration migration) {
        if (migration.about().to().isEmpty()) {
            return DesiredRemoteState.LEAVE;
        }
        var arrival = migration.arrival();
        boolean over = migration.objectOver() && (!migration.moved() || arrival.gone());
        if (over || arrival.counted()) {
            return DesiredRemoteState.NONE;
        }
        boolean awaited = migration.arrival().unseen() && migration.object().waiting();
        return awaited && !(migration.life() instanceof MigrationStage.Ending)
                ? DesiredRemoteState.KEEP
                : DesiredRemoteState.LEAVE;
    }

    /** After a success the source's reservation ends with its pod, and its mark with it. */
    static DesiredRemoteState mark(Migration migration) {
        if (migration.source().isEmpty() || migration.sourceGone()) {
            return DesiredRemoteState.LEAVE;
        }
        return switch (migration.life()) {
            case MigrationStage.Holding _ -> DesiredRemoteState.LEAVE;
            case MigrationStage.Marking _, MigrationStage.Beginning _, MigrationStage.UnderWay _ ->
                DesiredRemoteState.KEEP;
            case MigrationStage.Ending _ ->
                migration.objectOver() && !migration.moved() ? DesiredRemoteState.NONE : DesiredRemoteState.LEAVE;
            case MigrationStage.Undoing _ -> migration.moved() ? DesiredRemoteState.LEAVE : DesiredRemoteState.NONE;
        };
    }

    /** Whether the migration needs no more requests and can be removed. */
    static boolean nothingOf(Migration migration, Instant now) {
        boolean watched = migration.about().origin().ours() && !(migration.life() instanceof MigrationStage.Undoing);
        return migration.objectOver()
                && !watched
                && !awaitsCount(migration, now)
                && clean(migration.hold(), hold(migration))
                && clean(migration.mark(), mark(migration));
    }

    /** Whether its target was observed and is not counted yet, while the room for it may still be held. */
    private static boolean awaitsCount(Migration migration, Instant now) {
        return migration.arrival().awaitedOn().isPresent()
                && migration.hold().mayBeThere()
                && !migration.hold().hasEnded(now);
    }

    private static boolean clean(RemoteState line, DesiredRemoteState wanted) {
        return line.quiet() && (wanted == DesiredRemoteState.LEAVE || !line.mayBeThere());
    }
}
