package io.sluice.gateway.core;

import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitRequest;

/** What {@link SessionRegistry} wants done. */
public sealed interface SessionRegistryAction {
    /** Open a session at the ledger, to be answered by {@code Opened} or {@code OpenFailed}. */
    record Open(AgentPod member, OpenSession opening) implements SessionRegistryAction {}

    /** Ask the ledger, to be answered by {@code Ruled} or {@code PermitFailed}. */
    record Request(long ticket, PermitRequest request) implements SessionRegistryAction {}

    /** Answer a request; its ticket is done with. */
    record Reply(long ticket, HttpAnswer answer) implements SessionRegistryAction {}
}
