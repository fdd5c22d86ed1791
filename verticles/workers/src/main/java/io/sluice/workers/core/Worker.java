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
 * @param credential what it was issued when it enrolled
 * @param drain whether it is to be emptied
 */
public record Worker(
        WorkerHello hello,
        WorkerState state,
        long epoch,
        long lastSeq,
        long session,
        Instant frameAt,
        Instant since,
        Credential credential,
        Drain drain) {
    /**
     * Whether a worker is to be emptied.
     *
     * @param until what is left then is stopped
     * @param done whether it is empty
     */
    public record Drain(boolean on, Instant until, boolean done) {
        /** It takes instances. */
        public static final Drain OFF = new Drain(false, Instant.EPOCH, false);

        /** It takes no more instances, and loses those that it has. */
        public static Drain until(Instant deadline) {
            return new Drain(true, deadline, false);
        }

        Drain done(boolean empty) {
            return new Drain(on, until, empty);
        }
    }

    /** One that never registered. */
    static Worker named(String id, WorkerState state, Instant now) {
        return new Worker(WorkerHello.of(id), state, 0, 0, 0, now, now, Credential.NONE, Drain.OFF);
    }

    public String id() {
        return hello.worker();
    }

    /** Whether a session is open. */
    public boolean connected() {
        return session != 0;
    }

    /** Whether it may be given instances. */
    public boolean takesInstances() {
        return state == WorkerState.READY && !drain.on();
    }

    Worker in(WorkerState next, Instant now) {
        return new Worker(hello, next, epoch, lastSeq, session, frameAt, now, credential, drain);
    }

    Worker frame(Instant now) {
        return new Worker(hello, state, epoch, lastSeq, session, now, since, credential, drain);
    }

    Worker withSession(long number) {
        return new Worker(hello, state, epoch, lastSeq, number, frameAt, since, credential, drain);
    }

    Worker withSeq(long seq) {
        return new Worker(hello, state, epoch, seq, session, frameAt, since, credential, drain);
    }

    Worker issued(Credential next) {
        return new Worker(hello, state, epoch, lastSeq, session, frameAt, since, next, drain);
    }

    Worker draining(Drain next) {
        return new Worker(hello, state, epoch, lastSeq, session, frameAt, since, credential, next);
    }

    /** It has registered anew; its session is not open yet. */
    Worker registered(WorkerHello next, Instant now) {
        return new Worker(
                next.within(credential), WorkerState.READY, epoch + 1, lastSeq, 0, now, now, credential, drain);
    }
}
