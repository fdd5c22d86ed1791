package io.sluice.placement.core;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    private final Map<Hold, Instant> since = new HashMap<>();

    /**
     * A hold of a pod.
     *
     * @param node where
     * @param pod the pod
     * @param attempt the attempt that it is for
     */
    public record Hold(String node, TouchPod pod, String attempt) {
        /** What frees the room after a touch of the pod; empty if the hold stays. */
        public Optional<ReleaseHold> release(PodBinding found) {
            boolean over = switch (found) {
                case PodBinding.Bound(var bound) -> !bound.equals(node);
                case PodBinding.Gone _, PodBinding.Unbound _ -> true;
                case PodBinding.Refused _, PodBinding.InDoubt _ -> false;
            };
            return over ? Optional.of(new ReleaseHold(node, pod.uid(), attempt)) : Optional.empty();
        }
    }

    /** Takes the present ledgers of all nodes on which room is held. Returns the holds whose pods are to be touched. */
    public List<Hold> observed(List<NodeLedgerView> ledgers, Instant now) {
        var present = new HashSet<Hold>();
        for (var ledger : ledgers) {
            for (var reservation : ledger.reservations()) {
                if (reservation.traits().held() && !HoldRoom.isForMigration(reservation.pod())) {
                    present.add(new Hold(
                            ledger.node(),
                            new TouchPod(reservation.pod(), reservation.namespace(), reservation.name()),
                            reservation.traits().heldFor()));
                }
            }
        }
        since.keySet().retainAll(present);
        var due = new ArrayList<Hold>();
        for (var hold : present) {
            if (!now.isBefore(since.computeIfAbsent(hold, first -> now).plus(LEFT_OVER_AFTER))) {
                due.add(hold);
            }
        }
        return due;
    }
}
