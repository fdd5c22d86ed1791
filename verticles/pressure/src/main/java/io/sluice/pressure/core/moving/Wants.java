package io.sluice.pressure.core.moving;

/** What the hold and the mark of a migration should be, as it stands. */
final class Wants {
    private Wants() {}

    /** Room is kept until the ledger counts the pod that it is for, or the object is over. */
    static Want hold(Migration migration) {
        if (migration.about().to().isEmpty()) {
            return Want.LEAVE;
        }
        if (migration.objectOver() || migration.arrival().counted()) {
            return Want.NONE;
        }
        boolean awaited = migration.arrival().unseen() && migration.object().waiting();
        return awaited && !(migration.life() instanceof Life.Ending) ? Want.KEEP : Want.LEAVE;
    }

    /** The source of a migration that succeeded goes with its pod; its mark is left to that. */
    static Want mark(Migration migration) {
        if (migration.source().isEmpty() || migration.sourceGone()) {
            return Want.LEAVE;
        }
        return switch (migration.life()) {
            case Life.Holding _ -> Want.LEAVE;
            case Life.Marking _, Life.Beginning _, Life.UnderWay _ -> Want.KEEP;
            case Life.Ending _ -> migration.objectOver() && !migration.moved() ? Want.NONE : Want.LEAVE;
            case Life.Undoing _ -> migration.moved() ? Want.LEAVE : Want.NONE;
        };
    }

    /** Whether nothing is left to do for it. */
    static boolean nothingOf(Migration migration) {
        boolean watched = migration.about().origin().ours() && !(migration.life() instanceof Life.Undoing);
        return migration.objectOver()
                && !watched
                && clean(migration.hold(), hold(migration))
                && clean(migration.mark(), mark(migration));
    }

    private static boolean clean(Line line, Want wanted) {
        return line.quiet() && (wanted == Want.LEAVE || !line.mayBeThere());
    }
}
