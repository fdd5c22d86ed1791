package io.sluice.agent.scheduler.core;

/**
 * The number that stands in for a session where the scheduler knows none. It is beyond any number that a ledger comes
 * to: one that is asked with it after all answers that it knows no such session, and a true one is opened.
 */
final class LocalSession {
    static final long NUMBER = 1L << 62;

    private LocalSession() {}

    static boolean is(long session) {
        return session >= NUMBER;
    }
}
