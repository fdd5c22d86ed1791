package io.sluice.vectors;

import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The order in which the reference would migrate VMs: lowest load first. The loads are those of the ledger. Only where
 * a line is marked as differing, the recorded reply shows whether the reference used the load of that request.
 */
final class Queue {
    private static final int OK = 200;

    private final Map<String, Float> loads = new HashMap<>();

    void clear() {
        loads.clear();
    }

    /**
     * Follows a command: takes the VM's load from the ledger, or from the recorded reply if the line is marked as
     * differing.
     */
    void follow(Recording.Line line, NodeState state) {
        if (!line.has("m")) {
            return;
        }
        boolean marked = line.json().path("differs").size() > 0;
        if (marked && line.text("op").equals("ask")) {
            if (line.json().path("r").path("status").asInt() == OK) {
                put(line.text("m"), line.has("load") ? Optional.of((float) line.number("load")) : Optional.empty());
            }
            return;
        }
        put(
                line.text("m"),
                state.reservations()
                        .find(line.text("m"))
                        .flatMap(reservation -> reservation.session().load1()));
    }

    private void put(String pod, Optional<Float> load) {
        load.ifPresentOrElse(known -> loads.put(pod, known), () -> loads.remove(pod));
    }

    /** The VM with the lowest reported load that does not migrate; empty if two have the same. */
    Optional<String> head(NodeState state) {
        Optional<String> lowest = Optional.empty();
        boolean tie = false;
        for (var reservation : state.reservations()) {
            if (!waits(reservation)) {
                continue;
            }
            int order = lowest.map(other -> Float.compare(loads.get(reservation.id()), loads.get(other)))
                    .orElse(-1);
            tie = order == 0 || tie && order > 0;
            lowest = order < 0 ? Optional.of(reservation.id()) : lowest;
        }
        return tie ? Optional.empty() : lowest;
    }

    private boolean waits(Reservation reservation) {
        return !reservation.status().migrating() && loads.containsKey(reservation.id());
    }
}
