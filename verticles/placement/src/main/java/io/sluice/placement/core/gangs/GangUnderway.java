package io.sluice.placement.core.gangs;

import io.sluice.placement.core.PlacementAttempt;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** One attempt, and what is to be known of its members. */
final class GangUnderway {
    final GangAttempt attempt;

    /** The holds that count, by uid. */
    final Map<String, PlacementAttempt> held = new HashMap<>();

    /** The ids of the last holds, those that are over too, by uid. */
    final Map<String, String> lastHolds = new HashMap<>();

    /** The nodes that have refused members, by uid. */
    final Map<String, BitSet> refused = new HashMap<>();

    /** When members are touched again of which it is unknown whether they are bound, by uid. */
    final Map<String, Instant> inDoubt = new HashMap<>();

    String refusal = "";
    private int holds;

    GangUnderway(GangAttempt attempt) {
        this.attempt = attempt;
    }

    /** A node's ledger holds nothing again for an id that was released there, so each hold has its own. */
    String nextHold() {
        return attempt.id() + "." + ++holds;
    }
}
