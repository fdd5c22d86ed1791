package io.sluice.ledger.store;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.NodeState;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Stores the ledger state in memory; it is lost with the process. To be used on one thread, the verticle's context. */
public final class MemoryLedgerStore implements LedgerStore {
    private NodeLedger ledger;
    private final InstantSource clock;
    private final SortedMap<String, NodeState> states = new TreeMap<>();
    private long incarnation = new SecureRandom().nextLong();
    private Watcher watcher = (after, notices) -> {};

    /**
     * Creates an empty store.
     *
     * @param ledger runs the commands, until other rules are set
     * @param clock never goes back
     */
    public MemoryLedgerStore(NodeLedger ledger, InstantSource clock) {
        this.ledger = Objects.requireNonNull(ledger, "ledger");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    @Override
    public <A> Future<A> run(String node, LedgerCommand<A> command) {
        var before = Optional.ofNullable(states.get(node)).orElseGet(() -> NodeState.blank(node));
        var outcome = ledger.apply(before, command, clock.instant(), ++incarnation);
        if (outcome.state().isBlank()) {
            states.remove(node);
        } else {
            states.put(node, outcome.state());
        }
        watcher.ran(outcome.state(), outcome.notices());
        return Future.succeededFuture(outcome.reply());
    }

    @Override
    public Future<Void> rule(LedgerRules rules) {
        ledger = new NodeLedger(rules);
        return Future.succeededFuture();
    }

    @Override
    public Future<Optional<NodeState>> read(String node) {
        return Future.succeededFuture(Optional.ofNullable(states.get(node)));
    }

    @Override
    public Future<List<String>> nodes() {
        return Future.succeededFuture(List.copyOf(states.keySet()));
    }

    @Override
    public Future<List<String>> kept() {
        return nodes();
    }

    @Override
    public void watch(Watcher only) {
        watcher = Objects.requireNonNull(only, "watcher");
    }
}
