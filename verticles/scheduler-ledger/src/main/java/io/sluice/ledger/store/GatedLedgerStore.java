package io.sluice.ledger.store;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Another store behind a gate: while it is shut nobody is promised anything, and the books still follow what they are
 * told of and the passing of time.
 */
public final class GatedLedgerStore implements LedgerStore {
    private final LedgerStore store;
    private final String word;
    private final Supplier<Optional<String>> shut;

    /**
     * A gate before that store.
     *
     * @param word the kind of reason for which it is shut, for a metric
     * @param shut why it is shut now, in a sentence; empty while it is open. Asked on any thread, and never waits
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
