package io.sluice.ledger.clustered;

import com.hazelcast.map.IMap;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeState;
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
 * Books in a map that several members keep. Of each node one batch of commands is under way from here at a time; what
 * comes meanwhile goes together with the next, so that many who ask at once share the way there and the copies. A batch
 * that fails is sent again while whoever asked still waits: books change hands in less time than an asker's pause.
 */
final class ClusteredLedgerStore implements LedgerStore {
    /** More than this many commands on one node wait only if something is wrong with it. */
    private static final int WAITING_MAX = 10_000;

    /** Whoever asked has given up by then, and repeats. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(2);

    private static final Duration PAUSE_MIN = Duration.ofMillis(20);
    private static final Duration PAUSE_MAX = Duration.ofMillis(100);

    private final IMap<String, StoredState> map;
    private final LedgerMemberContext keeper;
    private final Vertx vertx;
    private final long patienceNanos;
    private final long waitMaxNanos;
    private final Map<String, Deque<Waiting<?>>> lines = new HashMap<>();

    private final Set<Sent<BatchReply>> underWay = ConcurrentHashMap.newKeySet();

    /** The nodes whose last batch failed: their copies may be anything. */
    private final Set<String> inDoubt = ConcurrentHashMap.newKeySet();

    /** @param patience how long after it came a command is sent again when it fails */
    ClusteredLedgerStore(IMap<String, StoredState> map, LedgerMemberContext keeper, Vertx vertx, Duration patience) {
        this.map = map;
        this.keeper = keeper;
        this.vertx = vertx;
        patienceNanos = patience.toNanos();
        waitMaxNanos = Math.max(WAIT_MAX.toNanos(), patienceNanos);
    }

    private record Waiting<A>(LedgerCommand<A> command, long sinceNanos, Promise<A> promise) {
        @SuppressWarnings("unchecked") // a command says what kind of reply it has
        void answer(Object reply) {
            promise.complete((A) reply);
        }

        void fail(Throwable lost) {
            promise.fail(lost);
        }
    }

    @Override
    public <A> Future<A> run(String node, LedgerCommand<A> command) {
        var waiting = new Waiting<>(command, keeper.nanos(), Promise.promise());
        switch (queue(node, waiting)) {
            case FIRST -> send(node);
            case BEHIND_OTHERS -> {}
            case REFUSED ->
                waiting.fail(LedgerUnavailableException.crowded(
                        WAITING_MAX + " commands on node " + node + " wait already"));
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

    /** The next batch of the node; none, and the line is taken away. */
    private List<Waiting<?>> next(String node, List<Waiting<?>> tooLate) {
        synchronized (lines) {
            var line = lines.get(node);
            var batch = new ArrayList<Waiting<?>>();
            while (!line.isEmpty() && batch.size() < CommandBatch.COMMANDS_MAX) {
                var waiting = line.remove();
                boolean late = keeper.nanos() - waiting.sinceNanos() > waitMaxNanos;
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

    /**
     * Commands may be repeated, whether they ran or not. Those who have waited long enough are told what went wrong.
     */
    private void again(String node, List<Waiting<?>> batch, Throwable lost) {
        long now = keeper.nanos();
        var parts = batch.stream()
                .collect(Collectors.partitioningBy(waiting -> now - waiting.sinceNanos() < patienceNanos));
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

    /** The longer it lasts, the more seldom. */
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
            return Future.failedFuture(notSent);
        }
    }

    /**
     * A member is gone. What is under way may wait for its confirmation: Hazelcast waits out the time that a copy is
     * given. So nothing is waited for, and all of it is sent again.
     */
    void memberLeft() {
        underWay.forEach(sent -> sent.fail(LedgerUnavailableException.crowded("a member left meanwhile")));
    }

    /**
     * Something of Hazelcast's that goes on in the context of whoever asked. Hazelcast's own way to go on takes a new
     * thread each time where there are few cores.
     */
    private record Sent<T>(Promise<T> promise, Context context) {
        Future<T> future() {
            return promise.future();
        }

        void end(T result, Throwable lost) {
            if (lost == null) {
                promise.tryComplete(result);
            } else {
                promise.tryFail(lost instanceof CompletionException wrapped ? wrapped.getCause() : lost);
            }
        }

        void fail(Throwable lost) {
            context.runOnContext(turn -> promise.tryFail(lost));
        }
    }

    private <T> Sent<T> here(CompletionStage<T> stage) {
        var sent = new Sent<T>(Promise.promise(), vertx.getOrCreateContext());
        stage.whenCompleteAsync(sent::end, task -> sent.context().runOnContext(turn -> task.run()));
        return sent;
    }

    private static void answer(List<Waiting<?>> batch, BatchReply reply) {
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).answer(reply.replies().get(i));
        }
    }

    @Override
    public Future<Void> rule(LedgerRules rules) {
        keeper.rule(rules);
        return Future.succeededFuture();
    }

    @Override
    public Future<Optional<NodeState>> read(String node) {
        try {
            return here(map.getAsync(node))
                    .future()
                    .map(kept -> keeper.current(Optional.ofNullable(kept)).map(StoredState::state));
        } catch (RuntimeException notSent) {
            return Future.failedFuture(notSent);
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
        keeper.watch(watcher);
    }

    private interface Names {
        Collection<String> read();
    }

    /** Hazelcast has these by a call that waits, so a worker does. */
    private Future<List<String>> names(Names names) {
        return vertx.executeBlocking(() -> names.read().stream().sorted().toList(), false);
    }
}
