package io.sluice.ledger.clustered;

import com.hazelcast.map.IMap;
import com.hazelcast.splitbrainprotection.SplitBrainProtectionException;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.store.LedgerStore;
import io.sluice.ledger.store.LedgerUnavailableException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * A store in a Hazelcast map that several members share. From this process one batch of commands of each node is under
 * way at a time. Commands that come meanwhile go with the next batch, so that many requests share one message and one
 * replication. A batch that fails is sent again while its clients still wait, because an owner changes in less time
 * than that.
 */
final class ClusteredLedgerStore implements LedgerStore {
    /** The most commands that wait on one node; there are more only if something is wrong with the node. */
    private static final int WAITING_MAX = 10_000;

    /** After this time the client has given up and sends the request again. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(2);

    private static final Duration PAUSE_MIN = Duration.ofMillis(20);
    private static final Duration PAUSE_MAX = Duration.ofMillis(100);

    private final IMap<String, StoredState> map;
    private final LedgerMemberContext context;
    private final Vertx vertx;
    private final long timeoutNanos;
    private final long waitMaxNanos;
    private final Map<String, Deque<Waiting<?>>> lines = new HashMap<>();

    private final Set<Sent<BatchReply>> underWay = ConcurrentHashMap.newKeySet();

    /** The nodes whose last batch failed: their replicas may have any state. */
    private final Set<String> inDoubt = ConcurrentHashMap.newKeySet();

    /** @param timeout for how long after its arrival a command is sent again when it fails */
    ClusteredLedgerStore(IMap<String, StoredState> map, LedgerMemberContext context, Vertx vertx, Duration timeout) {
        this.map = map;
        this.context = context;
        this.vertx = vertx;
        timeoutNanos = timeout.toNanos();
        waitMaxNanos = Math.max(WAIT_MAX.toNanos(), timeoutNanos);
    }

    private record Waiting<A>(LedgerCommand<A> command, long sinceNanos, Promise<A> promise) {
        @SuppressWarnings("unchecked") // the command's type determines the type of its reply
        void answer(Object reply) {
            promise.complete((A) reply);
        }

        void fail(Throwable lost) {
            promise.fail(lost);
        }
    }

    @Override
    public <A> Future<A> run(String node, LedgerCommand<A> command) {
        var waiting = new Waiting<>(command, context.nanos(), Promise.promise());
        switch (queue(node, waiting)) {
            case FIRST -> send(node);
            case BEHIND_OTHERS -> {}
            case REFUSED ->
                waiting.fail(LedgerUnavailableException.crowded(
                        WAITING_MAX + " commands on node " + node + " are waiting already"));
        }
        return waiting.promise().future();
    }

    private enum Queued {
        FIRST,
        BEHIND_OTHERS,
        REFUSED
    }

    private Queued queue(String node, Waiting<?> waiting) {
        synchronized (lines) {
            var line = lines.get(node);
            if (line == null) {
                line = new ArrayDeque<>();
                line.add(waiting);
                lines.put(node, line);
                return Queued.FIRST;
            }
            return line.size() < WAITING_MAX && line.add(waiting) ? Queued.BEHIND_OTHERS : Queued.REFUSED;
        }
    }

    /** The next batch of the node; if there is none, the queue is removed. */
    private List<Waiting<?>> next(String node, List<Waiting<?>> tooLate) {
        synchronized (lines) {
            var line = lines.get(node);
            var batch = new ArrayList<Waiting<?>>();
            while (!line.isEmpty() && batch.size() < CommandBatch.COMMANDS_MAX) {
                var waiting = line.remove();
                boolean late = context.nanos() - waiting.sinceNanos() > waitMaxNanos;
                (late ? tooLate : batch).add(waiting);
            }
            if (batch.isEmpty() && line.isEmpty()) {
                lines.remove(node);
            }
            return batch;
        }
    }

    private void send(String node) {
        var tooLate = new ArrayList<Waiting<?>>();
        var batch = next(node, tooLate);
        fail(
                tooLate,
                LedgerUnavailableException.crowded("the command waited longer than "
                        + Duration.ofNanos(waitMaxNanos).toSeconds() + " s"));
        if (!batch.isEmpty()) {
            submit(node, batch).onComplete(ended -> ended(node, batch, ended));
        }
    }

    private void ended(String node, List<Waiting<?>> batch, AsyncResult<BatchReply> ended) {
        if (ended.failed()) {
            inDoubt.add(node);
            again(node, batch, ended.cause());
            return;
        }
        var refusal = ended.result().refusal();
        if (refusal.isEmpty()) {
            inDoubt.remove(node);
            answer(batch, ended.result());
            send(node);
        } else if (refusal.get().mayPassSoon()) {
            again(node, batch, refusal.get().exception());
        } else {
            fail(batch, refusal.get().exception());
            send(node);
        }
    }

    /** Sends commands again, which is safe whether they ran or not. Commands that have waited for long enough fail. */
    private void again(String node, List<Waiting<?>> batch, Throwable lost) {
        long now = context.nanos();
        var parts =
                batch.stream().collect(Collectors.partitioningBy(waiting -> now - waiting.sinceNanos() < timeoutNanos));
        fail(parts.get(false), lost);
        List<Waiting<?>> patient = parts.get(true);
        if (patient.isEmpty()) {
            send(node);
            return;
        }
        synchronized (lines) {
            patient.reversed().forEach(lines.get(node)::addFirst);
        }
        vertx.setTimer(pause(now - patient.getFirst().sinceNanos()).toMillis(), timer -> send(node));
    }

    /** The pause before the next attempt; it grows with the time that was waited. */
    private static Duration pause(long waitedNanos) {
        return Duration.ofNanos(Math.clamp(waitedNanos / 2, PAUSE_MIN.toNanos(), PAUSE_MAX.toNanos()));
    }

    private static void fail(List<Waiting<?>> batch, Throwable lost) {
        batch.forEach(waiting -> waiting.fail(lost));
    }

    private Future<BatchReply> submit(String node, List<Waiting<?>> batch) {
        var commands = new ArrayList<LedgerCommand<?>>(batch.size());
        batch.forEach(waiting -> commands.add(waiting.command()));
        try {
            var sent = here(map.submitToKey(node, new CommandBatch(commands, inDoubt.contains(node))));
            underWay.add(sent);
            return sent.future().onComplete(ended -> underWay.remove(sent));
        } catch (RuntimeException notSent) {
            return Future.failedFuture(plain(notSent));
        }
    }

    /**
     * A member has left. A batch under way may wait for its confirmation for the full time that Hazelcast gives a
     * replica. So everything under way fails now and is sent again.
     */
    void memberLeft() {
        underWay.forEach(sent -> sent.fail(LedgerUnavailableException.crowded("a member left meanwhile")));
    }

    /**
     * A Hazelcast call that continues on the context of its caller. Hazelcast's own way starts a new thread each time
     * where there are few cores.
     */
    private record Sent<T>(Promise<T> promise, Context context) {
        Future<T> future() {
            return promise.future();
        }

        void end(T result, Throwable lost) {
            if (lost == null) {
                promise.tryComplete(result);
            } else {
                promise.tryFail(lost);
            }
        }

        void fail(Throwable lost) {
            context.runOnContext(turn -> promise.tryFail(lost));
        }
    }

    private <T> Sent<T> here(CompletionStage<T> stage) {
        var sent = new Sent<T>(Promise.promise(), vertx.getOrCreateContext());
        stage.whenCompleteAsync(
                (result, lost) -> sent.end(result, plain(lost)),
                task -> sent.context().runOnContext(turn -> task.run()));
        return sent;
    }

    /** Hazelcast's own words for a missing majority mean nothing to an operator. */
    private Throwable plain(Throwable lost) {
        var cause = lost instanceof CompletionException wrapped ? wrapped.getCause() : lost;
        return cause instanceof SplitBrainProtectionException
                ? context.refusal()
                        .map(GrantRefusal::exception)
                        .orElseGet(() -> LedgerUnavailableException.crowded(
                                "Hazelcast sees no majority of the ledger processes"))
                : cause;
    }

    private static void answer(List<Waiting<?>> batch, BatchReply reply) {
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).answer(reply.replies().get(i));
        }
    }

    @Override
    public Future<Void> rule(LedgerRules rules) {
        context.rule(rules);
        return Future.succeededFuture();
    }

    @Override
    public Future<Optional<NodeState>> read(String node) {
        try {
            return here(map.getAsync(node))
                    .future()
                    .map(kept -> context.current(Optional.ofNullable(kept)).map(StoredState::state));
        } catch (RuntimeException notSent) {
            return Future.failedFuture(plain(notSent));
        }
    }

    @Override
    public Future<List<String>> nodes() {
        return names(map::keySet);
    }

    @Override
    public Future<List<String>> kept() {
        return names(map::localKeySet);
    }

    @Override
    public void watch(Watcher watcher) {
        context.watch(watcher);
    }

    private interface Names {
        Collection<String> read();
    }

    /** Hazelcast offers these by blocking calls only, so a worker thread makes them. */
    private Future<List<String>> names(Names names) {
        return vertx.executeBlocking(() -> names.read().stream().sorted().toList(), false)
                .recover(lost -> Future.failedFuture(plain(lost)));
    }
}
