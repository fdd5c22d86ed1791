package io.sluice.agent.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which version of the protocol each scheduler accepts; dropped after a while, as schedulers are upgraded. */
public final class ProtocolVersions {
    /** The version for schedulers that have not refused it. */
    public static final int NEWEST = 7;

    /** The version for those that do not accept the newest. */
    public static final int OLDER = 6;

    static final int REMEMBERED_MAX = 256;
    static final Duration REMEMBERED_FOR = Duration.ofMinutes(10);

    private final Map<SchedulerAddress, Instant> olderUntil = new LinkedHashMap<>();

    /** The version to use for it. */
    public int of(SchedulerAddress address, Instant now) {
        var until = olderUntil.get(address);
        return until != null && now.isBefore(until) ? OLDER : NEWEST;
    }

    /** It refused that version: returns the other. */
    public int refused(SchedulerAddress address, int version, Instant now) {
        olderUntil.remove(address);
        if (version != NEWEST) {
            return NEWEST;
        }
        olderUntil.put(address, now.plus(REMEMBERED_FOR));
        if (olderUntil.size() > REMEMBERED_MAX) {
            olderUntil.remove(olderUntil.keySet().iterator().next());
        }
        return OLDER;
    }
}
