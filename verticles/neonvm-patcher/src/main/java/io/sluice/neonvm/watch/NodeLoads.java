package io.sluice.neonvm.watch;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.core.observed.FullListStart;
import io.sluice.shell.Backoff;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the reservations of each node into the ledger. It repeats each load until the ledger replies or a newer full
 * list replaces it. Before the pods are listed, it requests the number that the load has to name. If the ledger's
 * number is another one when the load arrives, since the ledger state was lost or has a newer list, it requests another
 * full list.
 */
final class NodeLoads {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLoads.class);
    private static final Duration RETRY_FIRST = Duration.ofMillis(200);
    private static final Duration RETRY_LONGEST = Duration.ofSeconds(5);
    private static final int FAILURES_BEFORE_WARNING = 5;
    private static final int AT_ONCE = 256;

    private final Vertx vertx;
    private final Bus bus;
    private final RandomGenerator random;
    private final BiConsumer<String, LoadReply> answered;
    private final Runnable wanted;
    private final Map<String, Pending> pending = new HashMap<>();
    private final Set<String> known = new HashSet<>();
    private long begun;

    /**
     * @param answered receives each node and the ledger's reply
     * @param wanted runs when a full list is needed that begins from now on
     */
    NodeLoads(Vertx vertx, Bus bus, RandomGenerator random, BiConsumer<String, LoadReply> answered, Runnable wanted) {
        this.vertx = vertx;
        this.bus = bus;
        this.random = random;
        this.answered = answered;
        this.wanted = wanted;
    }

    private record Pending(LoadNode load, long number, Backoff.Failures backoff, Promise<Void> done, int[] failures) {}

    /** A full list begins. */
    FullListStart begin() {
        return new FullListStart(++begun);
    }

    /**
     * Requests the number that the load of each node has to name. It completes in any case: a load without a number
     * that needs one only causes another full list.
     *
     * @param start of the list; empty for a list that is not loaded
     */
    Future<Void> request(List<NodeObserved> nodes, Optional<FullListStart> start) {
        return start.map(begun -> request(nodes, begun)).orElseGet(Future::succeededFuture);
    }

    private Future<Void> request(List<NodeObserved> nodes, FullListStart start) {
        if (nodes.isEmpty()) {
            return Future.succeededFuture();
        }
        int now = Math.min(AT_ONCE, nodes.size());
        var requested = nodes.subList(0, now).stream()
                .map(node -> bus.request(LedgerAddresses.LOAD_NODE, LoadNode.ahead(node))
                        .onSuccess(reply -> start.replied(node.node(), reply)))
                .toList();
        return Future.join(requested)
                .transform(replied -> requested.stream().anyMatch(Future::succeeded)
                        ? request(nodes.subList(now, nodes.size()), start)
                        : Future.succeededFuture());
    }

    /** A list of exactly these nodes is about to be loaded. */
    void announce(List<NodeObserved> nodes) {
        known.clear();
        nodes.forEach(node -> known.add(node.node()));
    }

    /** Whether a list with this node was loaded or is about to be. */
    boolean contains(String node) {
        return known.contains(node);
    }

    /** Drops all loads without a reply. */
    void close() {
        pending.clear();
    }

    /** Another process loads from now on: the loads without a reply count as done. */
    void leave() {
        pending.values().forEach(left -> left.done().tryComplete());
        pending.clear();
    }

    /**
     * Completes when the ledger has accepted each node, or a newer full list has replaced this one.
     *
     * @param start of the list
     */
    Future<Void> load(List<LoadNode> loads, FullListStart start) {
        var listed = new HashSet<String>();
        var all = new ArrayList<Future<Void>>();
        for (var load : loads) {
            var node = load.node().node();
            listed.add(node);
            var retry = new Backoff(RETRY_FIRST, RETRY_LONGEST).failures(random);
            var next = new Pending(start.named(load), start.number(), retry, Promise.promise(), new int[1]);
            var replaced = pending.put(node, next);
            if (replaced != null) {
                replaced.done().tryComplete();
            }
            all.add(next.done().future());
            send(node, next);
        }
        pending.entrySet().removeIf(entry -> {
            boolean gone = !listed.contains(entry.getKey());
            if (gone) {
                entry.getValue().done().tryComplete();
            }
            return gone;
        });
        return Future.all(all).mapEmpty();
    }

    private void answered(String node, Pending mine, LoadReply reply) {
        if (reply.relist().isPresent()) {
            tooLate(node, mine);
            return;
        }
        pending.remove(node, mine);
        answered.accept(node, reply);
        mine.done().tryComplete();
    }

    /** A replaced load is ignored. One new list serves all nodes for which this one is too late. */
    private void tooLate(String node, Pending mine) {
        if (pending.get(node) == mine && mine.number() == begun) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.NODE, node)
                    .addKeyValue(LogKeys.REASON, "listed at " + mine.load().version())
                    .log("The ledger state of a node was lost, or is newer than the list; listing again.");
            wanted.run();
        }
    }

    private void send(String node, Pending mine) {
        if (pending.get(node) != mine) {
            return;
        }
        bus.request(LedgerAddresses.LOAD_NODE, mine.load())
                .onSuccess(reply -> answered(node, mine, reply))
                .onFailure(failure -> {
                    if (++mine.failures()[0] == FAILURES_BEFORE_WARNING) {
                        LOG.atWarn()
                                .addKeyValue(LogKeys.NODE, node)
                                .addKeyValue(LogKeys.REASON, String.valueOf(failure.getMessage()))
                                .log("The ledger does not accept the load of a node, which stays incomplete.");
                    }
                    vertx.setTimer(mine.backoff().nextMs(), timer -> send(node, mine));
                });
    }
}
