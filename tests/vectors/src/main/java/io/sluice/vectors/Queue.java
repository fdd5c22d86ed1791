package io.sluice.vectors;

import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.Reservation;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The order in which the reference would move members: lowest load first. The loads are those that our books keep; only
 * where a line differs on purpose the reference's own answer says whether it took the load of that question.
 */
final class Queue {
    private static final int OK = 200;

    private final Map<String, Float> loads = new HashMap<>();

    void clear() {
        loads.clear();
    }

    /** After a command: the member's load is what our books or, on a marked question, the recorded answer say. */
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
                state.members()
                        .find(line.text("m"))
                        .flatMap(member -> member.talk().load1()));
    }

    private void put(String member, Optional<Float> load) {
        load.ifPresentOrElse(known -> loads.put(member, known), () -> loads.remove(member));
    }

    /** The one not moving that told the lowest load; nobody on a tie. */
    Optional<String> head(NodeState state) {
        Optional<String> lowest = Optional.empty();
        boolean tie = false;
        for (var member : state.members()) {
            if (!waits(member)) {
                continue;
            }
            int order = lowest.map(other -> Float.compare(loads.get(member.id()), loads.get(other)))
                    .orElse(-1);
            tie = order == 0 || tie && order > 0;
            lowest = order < 0 ? Optional.of(member.id()) : lowest;
        }
        return tie ? Optional.empty() : lowest;
    }

    private boolean waits(Reservation member) {
        return !member.standing().migrating() && loads.containsKey(member.id());
    }
}
