package io.sluice.agent.scheduler.core;

/**
 * The number used as the session where the scheduler has no sessions. It is beyond any number that a ledger assigns: a
 * ledger that receives it replies that it has no such session, and a true one is opened.
 */
final class LocalSession {
    static final long NUMBER = 1L << 62;

    private LocalSession() {}

    static boolean is(long session) {
        return session >= NUMBER;
    }
}
