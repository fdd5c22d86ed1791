package io.sluice.simulation.gangs;

import io.sluice.simulation.engine.Seconds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What is true of a gang, whatever any process knows. */
final class GangTruth {
    /**
     * For how long a process may act on a member that has ended: its end is known late, and a bind that was decided
     * before is frozen, or repeated.
     */
    private static final long KNOWN_WITHIN = Seconds.of(20);

    boolean collected;
    boolean excused;
    /** Whether a ledger lost holds of it in the present attempt. */
    boolean lost;

    final Set<String> succeeded = new HashSet<>();
    private final Map<String, Long> lateEnds = new HashMap<>();

    /** A member has ended, or its room is gone. A process that does not know yet counts it still. */
    void ended(String uid, long now) {
        excused = true;
        lateEnds.put(uid, now + KNOWN_WITHIN);
    }

    /** The members that need no room any more, or whose end may be unknown. */
    Stream<String> countedWithoutRoom(long now) {
        lateEnds.values().removeIf(until -> until <= now);
        return Stream.concat(succeeded.stream(), lateEnds.keySet().stream());
    }
}
