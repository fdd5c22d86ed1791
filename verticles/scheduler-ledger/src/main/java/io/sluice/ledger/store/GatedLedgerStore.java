package io.sluice.ledger.store;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.state.NodeState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A store that can be closed. While it is closed it refuses every request, but observations and the passing of time
 * still change the state.
 */
public final class GatedLedgerStore implements LedgerStore {
    private final LedgerStore store;
    private final String word;
    private final Supplier<Optional<String>> shut;

    /**
     * Guards another store.
     *
     * @param word the kind of reason for which it is closed, for a metric
     * @param shut why it is closed now, in a sentence; empty while it is open. It is called on any thread and must not
     *     block
     */
    public GatedLedgerStore(LedgerStore store, String word, Supplier<Optional<String>> shut) {
        this.store = Objects.requireNonNull(store, "store");
        this.word = Objects.requireNonNull(word, "word");
        this.shut = Objects.requireNonNull(shut, "shut");
    }

    @Override
    public <A> Future<A> run(String node, LedgerCommand<A> command) {
        return command.isAnswered()
                ? shut.get()
                        .<Future<A>>map(reason -> Future.failedFuture(new LedgerUnavailableException(word, reason)))
                        .orElseGet(() -> store.run(node, command))
                : store.run(node, command);
    }

    @Override
    public Future<Void> rule(LedgerRules rules) {
        return store.rule(rules);
    }

    @Override
    public Future<Optional<NodeState>> read(String node) {
        return store.read(node);
    }

    @Override
    public Future<List<String>> nodes() {
        return store.nodes();
    }

    @Override
    public Future<List<String>> kept() {
        return store.kept();
    }

    @Override
    public void watch(Watcher watcher) {
        store.watch(watcher);
    }
}
