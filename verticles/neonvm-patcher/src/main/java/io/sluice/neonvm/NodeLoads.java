package io.sluice.neonvm;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.core.FullListStart;
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
 * Hands the members of each node to the ledger, again and again until it answers or a newer listing replaces them.
 * Before they are requested the ledger is asked what the list has to name; where that has changed once they are handed
 * over, as the ledger state was lost or has a newer list, another list is wanted.
 */
final class NodeLoads {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLoads.class);
    private static final Duration RETRY_FIRST = Duration.ofMillis(200);
    private static final Duration RETRY_LONGEST = Duration.ofSeconds(5);
    private static final int FAILURES_BEFORE_WARNING = 5;
    private static final int ASKED_AT_ONCE = 256;

    private final Vertx vertx;
    private final Bus bus;
    private final RandomGenerator random;
    private final BiConsumer<String, LoadReply> answered;
    private final Runnable wanted;
    private final Map<String, Pending> pending = new HashMap<>();
    private final Set<String> known = new HashSet<>();
    private long begun;

    /**
     * @param answered told of each node and the ledger's answer
     * @param wanted told when a listing is wanted that is begun from now on
     */
    NodeLoads(Vertx vertx, Bus bus, RandomGenerator random, BiConsumer<String, LoadReply> answered, Runnable wanted) {
        this.vertx = vertx;
        this.bus = bus;
        this.random = random;
        this.answered = answered;
        this.wanted = wanted;
    }

    private record Pending(LoadNode load, long number, WatchBackoff backoff, Promise<Void> done, int[] failures) {}

    /** A listing begins. */
    FullListStart begin() {
        return new FullListStart(++begun);
    }

    /**
     * Asks what the list has to name of each node. Completes in any case: what is handed over without a name, and needs
     * one, is only wanted again.
     *
     * @param start of the list; empty for one that is not handed over
     */
    Future<Void> ask(List<NodeObserved> nodes, Optional<FullListStart> start) {
        return start.map(begun -> ask(nodes, begun)).orElseGet(Future::succeededFuture);
    }

    private Future<Void> ask(List<NodeObserved> nodes, FullListStart start) {
        if (nodes.isEmpty()) {
            return Future.succeededFuture();
        }
        int now = Math.min(ASKED_AT_ONCE, nodes.size());
        var asked = nodes.subList(0, now).stream()
                .map(node -> bus.request(LedgerAddresses.LOAD_NODE, LoadNode.ahead(node))
                        .onSuccess(reply -> start.replied(node.node(), reply)))
                .toList();
        return Future.join(asked)
                .transform(replied -> asked.stream().anyMatch(Future::succeeded)
                        ? ask(nodes.subList(now, nodes.size()), start)
                        : Future.succeededFuture());
    }

    /** A listing that held these nodes and no others is about to be handed over. */
    void announce(List<NodeObserved> nodes) {
        known.clear();
        nodes.forEach(node -> known.add(node.node()));
    }

    /** Whether a listing that held the node was handed over, or is about to be. */
    boolean knows(String node) {
        return known.contains(node);
    }

    /** Gives up everything that was not answered. */
    void close() {
        pending.clear();
    }

    /** Somebody else hands them over from now on: what was not answered is taken for done. */
    void leave() {
        pending.values().forEach(left -> left.done().tryComplete());
        pending.clear();
    }

    /**
     * Completes when the ledger has taken each node, or a newer listing has replaced this one.
     *
     * @param start of the listing
     */
    Future<Void> load(List<LoadNode> loads, FullListStart start) {
        var listed = new HashSet<String>();
        var all = new ArrayList<Future<Void>>();
        for (var load : loads) {
            var node = load.node().node();
            listed.add(node);
            var retry = new WatchBackoff(RETRY_FIRST, RETRY_LONGEST, random);
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

    /**
     * One that another has replaced says nothing of now; one list is wanted for all nodes that this one is late for.
     */
    private void tooLate(String node, Pending mine) {
        if (pending.get(node) == mine && mine.number() == begun) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.NODE, node)
                    .addKeyValue(LogKeys.REASON, "listed at " + mine.load().version())
                    .log("The ledger's state of a node was lost, or is newer than the list; listing anew.");
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
                                .log("The ledger does not take the members of a node, which waits for them.");
                    }
                    vertx.setTimer(mine.backoff().nextMs(), timer -> send(node, mine));
                });
    }
}
