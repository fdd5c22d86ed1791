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
 * Finds marks of attempts that nobody arranges: left behind by a process that stopped before it had begun a migration,
 * or by a copy of its question that came late. Of one that was begun the cluster role knows what has become.
 */
final class LoneMarks {
    private static final Duration ALONE_FOR = Duration.ofSeconds(30);

    /** The second of two listings that end while a mark is alone was begun while it was. */
    private static final int LISTINGS = 2;

    private record Key(String member, String attempt) {}

    private record Alone(Instant since, int listings) {}

    /** A mark that is to go. */
    record Found(ReservationView member, String attempt) {}

    private final Migrations migrations;
    private final Map<String, Map<Key, Alone>> nodes = new HashMap<>();

    LoneMarks(Migrations migrations) {
        this.migrations = migrations;
    }

    /** The marks on a node that have been alone for long; each is told once, and then waited for anew. */
    List<Found> looked(NodeLedgerView books, Instant now) {
        var known = nodes.getOrDefault(books.node(), Map.of());
        var still = new HashMap<Key, Alone>();
        var found = new ArrayList<Found>();
        for (var member : books.members()) {
            for (var mark : member.traits().marks()) {
                if (isAlone(mark)) {
                    var key = new Key(member.member(), mark.attempt());
                    var alone = known.getOrDefault(key, new Alone(now, 0));
                    if (isLong(alone, now)) {
                        found.add(new Found(member, mark.attempt()));
                    } else {
                        still.put(key, alone);
                    }
                }
            }
        }
        nodes.put(books.node(), still);
        if (still.isEmpty()) {
            nodes.remove(books.node());
        }
        return found;
    }

    private boolean isAlone(MigrationMark mark) {
        return !mark.begun() && !migrations.knows(mark.attempt());
    }

    private static boolean isLong(Alone alone, Instant now) {
        return alone.listings() >= LISTINGS && !now.isBefore(alone.since().plus(ALONE_FOR));
    }

    /** A full listing is through, and with it every migration that there is was heard of. */
    void listed() {
        nodes.values()
                .forEach(marks -> marks.replaceAll((key, alone) -> new Alone(alone.since(), alone.listings() + 1)));
    }

    /** Whether listings are waited for. */
    boolean waits() {
        return !nodes.isEmpty();
    }

    /** A look at all nodes found these. */
    void onlyThese(List<String> found) {
        nodes.keySet().retainAll(found);
    }
}
