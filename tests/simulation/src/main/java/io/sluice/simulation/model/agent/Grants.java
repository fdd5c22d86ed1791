package io.sluice.simulation.model.agent;

import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import java.time.Duration;

/**
 * What a runner may grow to by the replies that it received, recorded independently of it. A grant counts from the time
 * of the request and ends when it lapses. A request for less lowers it when it is sent.
 */
public final class Grants {
    private Resources permit = Resources.NONE;
    private long lapsesAt = Long.MIN_VALUE;
    private long newestSeq;
    private Resources reach = Resources.NONE;

    /** Drops all grants, as a new runner has none. */
    void forget() {
        permit = Resources.NONE;
        lapsesAt = Long.MIN_VALUE;
        newestSeq = 0;
        reach = Resources.NONE;
    }

    void requested(Resources target) {
        permit = permit.min(target);
    }

    void granted(Resources granted, Duration validFor, long requestedAt, long seq) {
        if (seq >= newestSeq) {
            newestSeq = seq;
            permit = granted;
            lapsesAt = requestedAt + Seconds.of(validFor);
        }
    }

    /** Records that the runner can assume its VM to have that size, as it set or observed it. */
    void reached(Resources size) {
        reach = reach.max(size);
    }

    /** The largest size that the runner can assume of its VM. */
    public Resources reach() {
        return reach;
    }

    /** What the runner may grow its VM to at that time; {@link Resources#NONE} if it may not. */
    public Resources at(long now) {
        return now < lapsesAt ? permit : Resources.NONE;
    }
}
