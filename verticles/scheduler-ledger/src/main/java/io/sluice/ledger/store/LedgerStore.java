package io.sluice.ledger.store;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the books of all nodes and runs commands on them, one at a time for each node, in the order in which they came.
 *
 * <p>A store has its own clock: the instants it hands to commands on one node never go back. Several processes may have
 * the same books; then each of them keeps those of some nodes, and may ask for all.
 */
public interface LedgerStore {
    /** Hears what happens to the books that this process keeps. */
    interface Watcher {
        /**
         * A command was run. Called in the order of the commands on a node, on any thread, and never waits.
         *
         * @param after the books after it, blank ones where the node is forgotten; whoever asked may not have been
         *     answered yet
         * @param notices what an operator should hear of
         */
        void ran(NodeState after, List<LedgerNotice> notices);
    }

    /**
     * Runs a command on a node's books, blank ones where it has none.
     *
     * @return the reply; completes only once the new state is kept, and a failure means that it may or may not be
     */
    <A> Future<A> run(String node, LedgerCommand<A> command);

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

    /** The nodes whose books this process keeps now, sorted. */
    Future<List<String>> kept();

    /** Has one watcher hear from now on; called before the first command. */
    void watch(Watcher watcher);
}
