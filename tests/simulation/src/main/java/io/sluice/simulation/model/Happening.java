package io.sluice.simulation.model;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.simulation.model.agent.Flight;
import io.sluice.simulation.model.agent.SimulatedRunner;

/** An effect of an event that an invariant checks. */
public sealed interface Happening {
    /** A command was run on a node ledger; {@code reply} is the command's reply. */
    record Commanded(String node, NodeState before, LedgerCommand<?> command, Object reply, NodeState after)
            implements Happening {}

    /** The ledger requests a full list because observations are missing. */
    record RelistWanted() implements Happening {}

    /** The ledger's process ended, and another one started. */
    record LedgerBegun() implements Happening {}

    /** A runner sent a permit request. */
    record Requested(SimulatedRunner runner, PermitRequest request) implements Happening {}

    /** A runner sent a patch. */
    record PatchBegun(SimulatedRunner runner, Flight flight) implements Happening {}

    /**
     * A request to remove a migration mark was sent.
     *
     * @param byInformers whether the informers sent it, which observe migrations; otherwise pressure did
     */
    record UnmarkSent(UnmarkMigrating request, boolean byInformers) implements Happening {}

    /**
     * The gateway rejected a request by its rate limit; {@code noisy}: whether the agent of that pod sends too many.
     */
    record TurnedAway(String pod, boolean noisy) implements Happening {}

    /** A patch passed its tests and was applied. */
    record PatchApplied(ModelVmObject vm, Flight flight) implements Happening {}
}
