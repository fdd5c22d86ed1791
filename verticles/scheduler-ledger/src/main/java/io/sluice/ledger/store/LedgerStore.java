package io.sluice.ledger.store;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeState;
import io.sluice.ledger.core.Outcome;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the books of all nodes and runs commands on them, one at a time for each node, in the order in which they came.
 *
 * <p>A store has its own clock: the instants it hands to commands on one node never go back.
 */
public interface LedgerStore {
    /**
     * Runs a command on a node's books, blank ones where it has none.
     *
     * @return completes only once the new state is kept; a failure means that it may or may not be
     */
    <A> Future<Outcome<A>> run(String node, LedgerCommand<A> command);

    /**
     * From now on commands run by these rules; the books stay as they are, and only {@link LedgerCommand.Reweigh}
     * brings a node's watermark to where they put it.
     *
     * @return completes once no command is run by the rules before any more
     */
    Future<Void> rule(LedgerRules rules);

    /** The books of a node as they are now; empty where there are none. */
    Future<Optional<NodeState>> read(String node);

    /** The nodes that have books, sorted. */
    Future<List<String>> nodes();
}
