package io.sluice.pressure.core.migrations;

/** The desired state of a migration's hold and mark. */
final class DesiredStateRules {
    private DesiredStateRules() {}

    /** Room is held until the ledger counts the pod that it is for, or the object has ended. */
    static DesiredRemoteState hold(Migration migration) {
        if (migration.about().to().isEmpty()) {
            return DesiredRemoteState.LEAVE;
        }
        if (migration.objectOver() || migration.arrival().counted()) {
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
    static boolean nothingOf(Migration migration) {
        boolean watched = migration.about().origin().ours() && !(migration.life() instanceof MigrationStage.Undoing);
        return migration.objectOver()
                && !watched
                && clean(migration.hold(), hold(migration))
                && clean(migration.mark(), mark(migration));
    }

    private static boolean clean(RemoteState line, DesiredRemoteState wanted) {
        return line.quiet() && (wanted == DesiredRemoteState.LEAVE || !line.mayBeThere());
    }
}
