package io.sluice.ledger.store;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.state.NodeState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Stores the ledger state of all nodes and runs commands on it: one at a time for each node, in the order of arrival.
 *
 * <p>A store has its own clock: the instants of the commands on one node never go back. Several processes may share the
 * ledger; each then owns some node ledgers and can read all.
 */
public interface LedgerStore {
    /** Receives the changes of the node ledgers that this process owns. */
    interface Watcher {
        /**
         * A command was run. Calls are in the order of the commands on a node, on any thread, and must not block.
         *
         * @param after the state after it, blank where the node is forgotten; the reply may not have been sent yet
         * @param notices what is logged and counted
         */
        void ran(NodeState after, List<LedgerNotice> notices);
    }

    /**
     * Runs a command on the state of a node, or on a blank state where there is none.
     *
     * @return the reply; it completes only once the new state is stored. After a failure the state may or may not be
     *     stored
     */
    <A> Future<A> run(String node, LedgerCommand<A> command);

    /**
     * Replaces the rules of later commands. The state does not change; only {@link LedgerCommand.Reweigh} applies a new
     * watermark to a node.
     *
     * @return completes once no command runs with the earlier rules
     */
    Future<Void> rule(LedgerRules rules);

    /** The present state of a node; empty where there is none. */
    Future<Optional<NodeState>> read(String node);

    /** The nodes that have a state, sorted. */
    Future<List<String>> nodes();

    /** The nodes whose ledgers this process owns now, sorted. */
    Future<List<String>> kept();

    /** Sets the only watcher; called before the first command. */
    void watch(Watcher watcher);
}
