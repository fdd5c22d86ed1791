package io.sluice.neonvm;

import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.neonvm.core.BooksAhead;
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
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the members of each node to the ledger, again and again until it answers or a newer listing replaces them.
 * Where the ledger knows a newer listing, another is wanted.
 */
final class NodeLoads {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLoads.class);
    private static final Duration RETRY_FIRST = Duration.ofMillis(200);
    private static final Duration RETRY_LONGEST = Duration.ofSeconds(5);
    private static final int FAILURES_BEFORE_WARNING = 5;

    private final Vertx vertx;
    private final Bus bus;
    private final RandomGenerator random;
    private final BiConsumer<String, LoadReply> answered;
    private final Runnable wanted;
    private final BooksAhead ahead = new BooksAhead();
    private final Map<String, Pending> pending = new HashMap<>();
    private final Set<String> known = new HashSet<>();

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

    private record Pending(LoadNode load, Backoff backoff, Promise<Void> done, int[] failures) {}

    /** A listing begins: its number. */
    long begin() {
        return ahead.begin();
    }

    /** A listing that held these nodes and no others is about to be handed over. */
    void announce(List<NodeSeen> nodes) {
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
     * @param number of the listing
     */
    Future<Void> load(List<LoadNode> loads, long number) {
        var listed = new HashSet<String>();
        var all = new ArrayList<Future<Void>>();
        for (var load : loads) {
            var node = load.node().node();
            listed.add(node);
            var retry = new Backoff(RETRY_FIRST, RETRY_LONGEST, random);
            var next = new Pending(ahead.dated(load, number), retry, Promise.promise(), new int[1]);
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
        ahead.keepOnly(listed);
        return Future.all(all).mapEmpty();
    }

    private void answered(String node, Pending mine, LoadReply reply) {
        if (reply.newer().isPresent()) {
            behind(node, mine, reply.newer().get());
            return;
        }
        pending.remove(node, mine);
        ahead.taken(node);
        answered.accept(node, reply);
        mine.done().tryComplete();
    }

    /** One that another has replaced says nothing of now. */
    private void behind(String node, Pending mine, long version) {
        if (pending.get(node) != mine) {
            return;
        }
        if (ahead.heard(node, version)) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.NODE, node)
                    .addKeyValue(LogKeys.REASON, "listed at " + mine.load().version() + ", known at " + version)
                    .log("The ledger knows newer members of a node than were listed; listing anew.");
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
