package io.sluice.placement.core;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReleaseHold;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds holds of pods that last long: the process that made them has ended, or the result of a bind is open. The pod of
 * each is to be touched, which shows whether the hold is over.
 */
public final class LeftOverHolds {
    /**
     * How long a hold stays before its pod is touched. No bind takes as long as a rule; one that does is refused then,
     * and the pod is tried again.
     */
    public static final Duration LEFT_OVER_AFTER = Duration.ofSeconds(20);

    /** The same of a hold of a gang. The process that places gangs ends it, and only where there is none it lasts. */
    public static final Duration LEFT_OVER_OF_GANG_AFTER = Duration.ofHours(1);

    private final Map<ReleaseHold, Instant> since = new HashMap<>();

    /**
     * Takes the present ledgers of all nodes on which room is held. Returns the attempts whose holds are left over:
     * each goes on with a touch of its pod.
     */
    public List<PlacementAttempt> observed(List<NodeLedgerView> ledgers, Instant now) {
        var present = new HashMap<ReleaseHold, PlacementAttempt>();
        for (var ledger : ledgers) {
            for (var reservation : ledger.reservations()) {
                if (reservation.traits().held() && !HoldRoom.isForMigration(reservation.pod())) {
                    var attempt = PlacementAttempt.of(ledger.node(), reservation);
                    attempt.release().ifPresent(hold -> present.put(hold, attempt));
                }
            }
        }
        since.keySet().retainAll(present.keySet());
        return present.entrySet().stream()
                .filter(hold -> !now.isBefore(
                        since.computeIfAbsent(hold.getKey(), first -> now).plus(lasts(hold.getKey()))))
                .map(Map.Entry::getValue)
                .toList();
    }

    private static Duration lasts(ReleaseHold hold) {
        return GangAttemptId.parse(hold.attempt()).isPresent() ? LEFT_OVER_OF_GANG_AFTER : LEFT_OVER_AFTER;
    }
}
