package io.sluice.gateway.core;

import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitRequest;

/** What {@link SessionDesk} wants done. */
public sealed interface DeskAction {
    /** Open a session at the ledger, to be answered by {@code Opened} or {@code OpenLost}. */
    record Open(Member member, OpenSession opening) implements DeskAction {}

    /** Ask the ledger, to be answered by {@code Ruled} or {@code RulingLost}. */
    record Ask(long ticket, PermitRequest request) implements DeskAction {}

    /** Answer a request; its ticket is done with. */
    record Reply(long ticket, HttpAnswer answer) implements DeskAction {}
}
