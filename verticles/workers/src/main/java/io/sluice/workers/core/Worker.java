package io.sluice.workers.core;

import java.time.Instant;

/**
 * A machine that registers itself.
 *
 * @param hello what it registered with last
 * @param epoch of its last session; grows with each
 * @param lastSeq of its newest order
 * @param session the number of its open session; 0 while there is none
 * @param frameAt when its last frame came
 * @param since when its state changed
 */
public record Worker(
        WorkerHello hello, WorkerState state, long epoch, long lastSeq, long session, Instant frameAt, Instant since) {
    public String id() {
        return hello.worker();
    }

    /** Whether a session is open. */
    public boolean connected() {
        return session != 0;
    }

    Worker in(WorkerState next, Instant now) {
        return new Worker(hello, next, epoch, lastSeq, session, frameAt, now);
    }

    Worker frame(Instant now) {
        return new Worker(hello, state, epoch, lastSeq, session, now, since);
    }

    Worker withSession(long number) {
        return new Worker(hello, state, epoch, lastSeq, number, frameAt, since);
    }

    Worker withSeq(long seq) {
        return new Worker(hello, state, epoch, seq, session, frameAt, since);
    }
}
