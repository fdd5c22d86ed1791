package io.sluice.simulation.model;

import io.sluice.simulation.engine.Seconds;
import io.sluice.units.Resources;
import java.time.Duration;

/**
 * What a runner may grow to by the answers that it got, kept by an onlooker: it counts from when the question was sent,
 * ends when it lapses, and a question for less cuts it when that is sent.
 */
public final class Grants {
    private Resources permit = Resources.NONE;
    private long lapsesAt = Long.MIN_VALUE;
    private long newestSeq;
    private Resources reach = Resources.NONE;

    /** A new runner begins with none. */
    void forget() {
        permit = Resources.NONE;
        lapsesAt = Long.MIN_VALUE;
        newestSeq = 0;
        reach = Resources.NONE;
    }

    void asked(Resources target) {
        permit = permit.min(target);
    }

    void granted(Resources granted, Duration validFor, long askedAt, long seq) {
        if (seq >= newestSeq) {
            newestSeq = seq;
            permit = granted;
            lapsesAt = askedAt + Seconds.of(validFor);
        }
    }

    /** It has reason to think that its VM may be that large. */
    void reached(Resources size) {
        reach = reach.max(size);
    }

    /** The most that it has reason to think its VM may be already. */
    public Resources reach() {
        return reach;
    }

    /** What it may grow to at that instant; nothing where it may not. */
    public Resources at(long now) {
        return now < lapsesAt ? permit : Resources.NONE;
    }
}
