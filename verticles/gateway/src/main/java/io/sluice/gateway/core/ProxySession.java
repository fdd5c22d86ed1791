package io.sluice.gateway.core;

import java.time.Instant;

/** How the gateway stands with the ledger for one member whose agent knows no sessions. */
sealed interface ProxySession {
    /** The newest session known of; 0 if none. */
    long lastSession();

    /** How often in a row somebody else took the member over. */
    int takenOver();

    /**
     * It has no session. The name for the next one is chosen already: an opening that was lost is repeated under it, so
     * that a late duplicate supersedes nobody.
     */
    record Shut(String runner, long lastSession, int takenOver) implements ProxySession {}

    /**
     * It has one.
     *
     * @param runner the name that it was opened in
     * @param lastSession the session
     * @param seq of the last question in it
     * @param since when it was opened
     */
    record Open(String runner, long lastSession, long seq, Instant since, int takenOver) implements ProxySession {}

    /** Somebody else spoke for the member: it opens no session before this time. */
    record SteppedAside(long lastSession, Instant until, int takenOver) implements ProxySession {}
}
