package io.sluice.gateway.core;

/** The result of reading a body. */
sealed interface BodyResult {
    /** The body is a valid request. */
    record Understood(AgentRequest request) implements BodyResult {}

    /**
     * The body is refused with this reply.
     *
     * @param isRequest whether it had the form of a request at all
     */
    record Rejected(HttpAnswer answer, boolean isRequest) implements BodyResult {}
}
