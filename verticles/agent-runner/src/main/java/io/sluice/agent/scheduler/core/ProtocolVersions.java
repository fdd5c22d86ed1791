package io.sluice.agent.scheduler.core;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which version of the protocol each scheduler was found to take; forgotten after a while, as schedulers get newer. */
public final class ProtocolVersions {
    /** What is spoken to whoever was not heard to refuse it. */
    public static final int NEWEST = 7;

    /** What is spoken to those that do not take the newest. */
    public static final int OLDER = 6;

    static final int REMEMBERED_MAX = 256;
    static final Duration REMEMBERED_FOR = Duration.ofMinutes(10);

    private final Map<SchedulerAddress, Instant> olderUntil = new LinkedHashMap<>();

    /** The version to speak to it. */
    public int of(SchedulerAddress address, Instant now) {
        var until = olderUntil.get(address);
        return until != null && now.isBefore(until) ? OLDER : NEWEST;
    }

    /** It refused that version: speak the other. */
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
