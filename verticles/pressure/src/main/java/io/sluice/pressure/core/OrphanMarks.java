package io.sluice.pressure.core;

import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.pressure.core.migrations.Migrations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds migration marks whose attempt no process arranges. A process that stopped before it began the migration leaves
 * such a mark, and so does a late copy of its request. Marks whose migration has begun are left to the role
 * {@code cluster}.
 */
final class OrphanMarks {
    private static final Duration ALONE_FOR = Duration.ofSeconds(30);

    /** The second of two full lists that end while a mark is alone began while it was alone. */
    private static final int FULL_LISTS = 2;

    private record Key(String pod, String attempt) {}

    private record Alone(Instant since, int fullLists) {}

    /** A mark that is to be removed. */
    record Found(ReservationView reservation, String attempt) {}

    private final Migrations migrations;
    private final Map<String, Map<Key, Alone>> nodes = new HashMap<>();

    OrphanMarks(Migrations migrations) {
        this.migrations = migrations;
    }

    /**
     * The marks on a node that have been alone for long enough. Each is returned once, and then its time starts again.
     */
    List<Found> looked(NodeLedgerView ledger, Instant now) {
        var known = nodes.getOrDefault(ledger.node(), Map.of());
        var still = new HashMap<Key, Alone>();
        var found = new ArrayList<Found>();
        for (var reservation : ledger.reservations()) {
            for (var mark : reservation.traits().marks()) {
                if (isAlone(mark)) {
                    var key = new Key(reservation.pod(), mark.attempt());
                    var alone = known.getOrDefault(key, new Alone(now, 0));
                    if (isLong(alone, now)) {
                        found.add(new Found(reservation, mark.attempt()));
                    } else {
                        still.put(key, alone);
                    }
                }
            }
        }
        nodes.put(ledger.node(), still);
        if (still.isEmpty()) {
            nodes.remove(ledger.node());
        }
        return found;
    }

    private boolean isAlone(MigrationMark mark) {
        return !mark.begun() && !migrations.contains(mark.attempt());
    }

    private static boolean isLong(Alone alone, Instant now) {
        return alone.fullLists() >= FULL_LISTS && !now.isBefore(alone.since().plus(ALONE_FOR));
    }

    /** Counts a full list: every migration that exists has been observed by its end. */
    void listed() {
        nodes.values()
                .forEach(marks -> marks.replaceAll((key, alone) -> new Alone(alone.since(), alone.fullLists() + 1)));
    }

    /** Whether a full list is needed. */
    boolean waits() {
        return !nodes.isEmpty();
    }

    /** Forgets all other nodes, because a snapshot of all nodes lacks them. */
    void onlyThese(List<String> found) {
        nodes.keySet().retainAll(found);
    }
}
