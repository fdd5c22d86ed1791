package io.sluice.neonvm.core;

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
 * Which migration marks are to go. A mark goes by proof alone: its migration failed, was deleted, or is missing from a
 * full list that was begun once the mark stood. The mark of a migration that succeeded goes with the pod that its VM
 * has left, and that of one whose object nobody has seen yet belongs to whoever arranges the migration.
 */
public final class MarkEnds {
    private MarkEnds() {}

    /**
     * By a migration as it was last seen.
     *
     * @param deleted whether its object is gone
     * @param source the pod that its VM leaves, as far as that is known
     */
    static Optional<UnmarkMigrating> of(MigrationObserved migration, boolean deleted, Optional<PodObserved> source) {
        boolean stays =
                migration.phase() == MigrationPhase.FAILED || deleted && migration.phase() != MigrationPhase.SUCCEEDED;
        return source.filter(pod -> stays).map(pod -> new UnmarkMigrating(pod.node(), pod.uid(), migration.attempt()));
    }

    /**
     * By a full list.
     *
     * @param before the marks that stood before the list of migrations was begun
     * @param listed all migrations
     */
    public static List<UnmarkMigrating> of(Snapshot before, List<MigrationObserved> listed) {
        var phases = new HashMap<String, MigrationPhase>();
        listed.forEach(migration -> phases.merge(migration.attempt(), migration.phase(), MarkEnds::lessOver));
        var over = new ArrayList<UnmarkMigrating>();
        for (var node : before.nodes()) {
            for (var member : node.members()) {
                for (var mark : member.traits().marks()) {
                    if (isOver(mark, phases)) {
                        over.add(new UnmarkMigrating(node.node(), member.member(), mark.attempt()));
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
