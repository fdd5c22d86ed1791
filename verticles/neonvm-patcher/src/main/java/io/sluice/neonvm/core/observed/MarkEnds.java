package io.sluice.neonvm.core.observed;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.MigrationPhase;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.UnmarkMigrating;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which migration marks are to be removed. A mark is removed by proof alone: its migration failed, was deleted,
 * or is missing from a full list that was begun after the mark was set. The mark of a successful migration is removed
 * with the pod that its VM has left. If the object was never observed, the process that arranges the migration removes
 * the mark.
 */
public final class MarkEnds {
    private MarkEnds() {}

    /**
     * The mark to remove by a migration as last observed.
     *
     * @param deleted whether its object is gone
     * @param source the pod that its VM leaves, if it is known
     */
    static Optional<UnmarkMigrating> of(MigrationObserved migration, boolean deleted, Optional<PodObserved> source) {
        boolean stays =
                migration.phase() == MigrationPhase.FAILED || deleted && migration.phase() != MigrationPhase.SUCCEEDED;
        return source.filter(pod -> stays).map(pod -> new UnmarkMigrating(pod.node(), pod.uid(), migration.attempt()));
    }

    /**
     * The marks to remove by a full list.
     *
     * @param before the marks that existed before the list of migrations was begun
     * @param listed all migrations
     */
    public static List<UnmarkMigrating> of(Snapshot before, List<MigrationObserved> listed) {
        var phases = new HashMap<String, MigrationPhase>();
        listed.forEach(migration -> phases.merge(migration.attempt(), migration.phase(), MarkEnds::lessOver));
        var over = new ArrayList<UnmarkMigrating>();
        for (var node : before.nodes()) {
            for (var reservation : node.reservations()) {
                for (var mark : reservation.traits().marks()) {
                    if (isOver(mark, phases)) {
                        over.add(new UnmarkMigrating(node.node(), reservation.pod(), mark.attempt()));
                    }
                }
            }
        }
        return over;
    }

    private static MigrationPhase lessOver(MigrationPhase one, MigrationPhase other) {
        return one.ended() ? other : one;
    }

    private static boolean isOver(MigrationMark mark, Map<String, MigrationPhase> phases) {
        var phase = phases.get(mark.attempt());
        return phase == null ? mark.begun() : phase == MigrationPhase.FAILED;
    }
}
