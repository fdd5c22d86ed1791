package io.sluice.gateway.core;

/** What reading a body came to. */
sealed interface Reading {
    /** The request makes sense by itself. */
    record Understood(AgentRequest request) implements Reading {}

    /** It does not, and this is what the asker is told. */
    record Rejected(HttpAnswer answer) implements Reading {}
}
