package io.sluice.placement.core;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.vm.ReadPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * Finds holds of pods that last longer than any bind: the process that made them has ended, or the result of a bind is
 * open. Each is to be ended by a read of its pod.
 */
public final class LeftOverHolds {
    /**
     * The longest time in which a bind can take effect after its hold was observed. The API server ends a request after
     * a minute, and the requester waits for less than 15 s before it sends.
     */
    public static final Duration BIND_MAX = Duration.ofSeconds(75);

    private final Map<Hold, Instant> since = new HashMap<>();

    /**
     * A hold of a pod.
     *
     * @param node where
     * @param pod the pod
     * @param attempt the attempt that it is for
     */
    public record Hold(String node, ReadPod pod, String attempt) {}

    /** Takes the present ledgers of all nodes on which room is held. Returns the holds whose pods are to be read. */
    public List<Hold> observed(List<NodeLedgerView> ledgers, Instant now) {
        var present = new HashSet<Hold>();
        for (var ledger : ledgers) {
            for (var reservation : ledger.reservations()) {
                if (reservation.traits().held() && !HoldRoom.isForMigration(reservation.pod())) {
                    present.add(new Hold(
                            ledger.node(),
                            new ReadPod(reservation.pod(), reservation.namespace(), reservation.name()),
                            reservation.traits().heldFor()));
                }
            }
        }
        since.keySet().retainAll(present);
        var due = new ArrayList<Hold>();
        for (var hold : present) {
            if (!now.isBefore(since.computeIfAbsent(hold, first -> now).plus(BIND_MAX))) {
                due.add(hold);
            }
        }
        return due;
    }
}
