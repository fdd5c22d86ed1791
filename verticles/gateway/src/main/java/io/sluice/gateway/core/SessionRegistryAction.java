package io.sluice.gateway.core;

import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitRequest;

/** An action that {@link SessionRegistry} returns. */
public sealed interface SessionRegistryAction {
    /** Open a session at the ledger; the result is an event {@code Opened} or {@code OpenFailed}. */
    record Open(AgentPod pod, OpenSession opening) implements SessionRegistryAction {}

    /** Send a permit request to the ledger; the result is an event {@code Replied} or {@code PermitFailed}. */
    record Request(long ticket, PermitRequest request) implements SessionRegistryAction {}

    /** Reply to a request; its ticket is done. */
    record Reply(long ticket, HttpAnswer answer) implements SessionRegistryAction {}
}
