package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.NodeState;
import io.sluice.messages.ledger.PermitRequest;

/** What an event did that an invariant has to look at. */
public sealed interface Happening {
    /** A command was run on a node's books; the reply is the outcome's. */
    record Commanded(String node, NodeState before, LedgerCommand<?> command, Object reply, NodeState after)
            implements Happening {}

    /** A runner sends a question. */
    record Asked(Seat seat, PermitRequest question) implements Happening {}

    /** A runner sends a patch. */
    record PatchBegun(Seat seat, Flight flight) implements Happening {}

    /** A patch passed its tests. */
    record PatchApplied(VmObject vm, Flight flight) implements Happening {}
}
