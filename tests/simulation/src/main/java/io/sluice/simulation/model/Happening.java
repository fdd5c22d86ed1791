package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.NodeState;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.messages.ledger.UnmarkMigrating;

/** What an event did that an invariant has to look at. */
public sealed interface Happening {
    /** A command was run on a node's books; the reply is the outcome's. */
    record Commanded(String node, NodeState before, LedgerCommand<?> command, Object reply, NodeState after)
            implements Happening {}

    /** The ledger asks for a full list, as observations are missing. */
    record RelistWanted() implements Happening {}

    /** The ledger's process ended, and another has taken its place. */
    record LedgerBegun() implements Happening {}

    /** A runner sends a question. */
    record Asked(SimulatedRunner seat, PermitRequest question) implements Happening {}

    /** A runner sends a patch. */
    record PatchBegun(SimulatedRunner seat, Flight flight) implements Happening {}

    /**
     * A migration's mark is to be taken back.
     *
     * @param byInformers whether those send it who see migrations; else who arranges them does
     */
    record UnmarkSent(UnmarkMigrating question, boolean byInformers) implements Happening {}

    /** The gateway turned a request away, as the agent of that pod makes too many; {@code noisy}: whether it does. */
    record TurnedAway(String pod, boolean noisy) implements Happening {}

    /** A patch passed its tests. */
    record PatchApplied(ModelVmObject vm, Flight flight) implements Happening {}
}
