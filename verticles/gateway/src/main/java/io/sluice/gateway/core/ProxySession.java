package io.sluice.gateway.core;

import java.time.Instant;

/** The session that the gateway has with the ledger for one pod whose agent has no sessions. */
sealed interface ProxySession {
    /** The newest session that was observed; 0 if none. */
    long lastSession();

    /** How often in a row another client took the pod over. */
    int takenOver();

    /**
     * No session. The name for the next one is chosen already: a lost opening is repeated with it, so that a late
     * duplicate supersedes no other session.
     */
    record Shut(String runner, long lastSession, int takenOver) implements ProxySession {}

    /**
     * An open session.
     *
     * @param runner the name with which it was opened
     * @param session the session
     * @param seq the sequence number of the last request in it
     * @param since when it was opened
     */
    record Open(String runner, long lastSession, long seq, Instant since, int takenOver) implements ProxySession {}

    /** Another client took the pod over: no session is opened before this time. */
    record SteppedAside(long lastSession, Instant until, int takenOver) implements ProxySession {}
}
