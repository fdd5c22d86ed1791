package io.sluice.gateway.core;

/** What reading a body came to. */
sealed interface BodyResult {
    /** The request makes sense by itself. */
    record Understood(AgentRequest request) implements BodyResult {}

    /**
     * It does not, and this is what the asker is told.
     *
     * @param isRequest whether it had the form of a request at all
     */
    record Rejected(HttpAnswer answer, boolean isRequest) implements BodyResult {}
}
