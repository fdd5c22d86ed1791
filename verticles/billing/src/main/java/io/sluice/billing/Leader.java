package io.sluice.billing;

import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.replica.Replicator;
import io.sluice.billing.sink.EventKind;
import io.sluice.shell.OnContext;
import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import io.sluice.shell.Shell;
import io.sluice.units.VmId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether this process leads, and reads what the leader before it left. Of several processes with the role the
 * oldest leads, so that a process that joins never takes the lead from one that has received everything. All methods
 * run on one context.
 */
final class Leader {
    /** The part of this process that bills. */
    interface Part {
        /**
         * Begins to bill.
         *
         * @param last the latest checkpoint of all
         * @param here VMs of the checkpoint in this process's outbox
         */
        void lead(UsageCheckpoint.Read last, Collection<VmId> here);

        /** Bills nothing from now on. */
        void standBy();

        /** Writes a window of another process to the outbox; the future succeeds once it is durable. */
        Future<Void> take(String key, Map<EventKind, List<byte[]>> window);
    }

    private static final String ROLE = "billing";

    /** After a restart of all processes, any of them may have the latest checkpoint on its disk. */
    private static final Duration DISKS_WAIT = Duration.ofSeconds(15);

    private static final long AGAIN_MS = 500;

    /** If the copies cannot be read so many times, billing goes on from this process's disk. */
    private static final int TRIES_MOST = 20;

    private final Vertx vertx;
    private final Peers peers;
    private final boolean shared;
    private final Replicator replicator;
    private final Outbox outbox;
    private final Part part;
    private final BillingLog log;
    private final Shell shell;
    private final Instant waitsUntil;
    private Optional<Peers.Watching> watching = Optional.empty();
    private Optional<Promise<Void>> first = Optional.empty();
    private boolean mine;
    private boolean leads;
    private boolean closed;
    private long turn;

    /** @param shared whether other processes may lead */
    Leader(Vertx vertx, Shell shell, boolean shared, Replicator replicator, Outbox outbox, Part part, BillingLog log) {
        this.vertx = vertx;
        this.shell = shell;
        this.peers = shell.peers();
        this.shared = shared;
        this.replicator = replicator;
        this.outbox = outbox;
        this.part = part;
        this.log = log;
        this.waitsUntil = shell.clock().instant().plus(DISKS_WAIT);
    }

    /** Begins; where no other process may lead, the future succeeds once this one does. */
    Future<Void> start(OnContext here) {
        if (!shared) {
            first = Optional.of(Promise.promise());
            weigh();
            return first.get().future();
        }
        watching = Optional.of(peers.watch(() -> here.call(() -> {
            weigh();
            return null;
        })));
        return offerDisk().transform(offered -> {
            weigh();
            return Future.succeededFuture();
        });
    }

    private Future<Void> offerDisk() {
        return onDisk().compose(entries -> replicator.find().compose(found -> {
            var here = read(entries);
            return here.isAfter(UsageCheckpoint.Read.NOTHING)
                            && latest(found, here).isEmpty()
                    ? replicator.offer(entries)
                    : Future.succeededFuture();
        }));
    }

    boolean leads() {
        return leads;
    }

    /** Whether no other process has the role. */
    boolean isAlone() {
        return !shared || billing().size() <= 1;
    }

    /** The id of the process that leads in place of this one, if there is one. */
    Optional<String> elsewhere() {
        return shared
                ? billing().stream()
                        .findFirst()
                        .filter(oldest -> !oldest.equals(peers.self().id()))
                : Optional.empty();
    }

    private List<String> billing() {
        return peers.oldestFirst().stream()
                .filter(peer -> peer.roles().contains(ROLE))
                .map(Peer::id)
                .toList();
    }

    /** Checks whether this process leads. */
    void weigh() {
        boolean now = !closed
                && (!shared
                        || billing().stream()
                                .findFirst()
                                .filter(peers.self().id()::equals)
                                .isPresent());
        if (now == mine) {
            return;
        }
        mine = now;
        turn++;
        if (mine) {
            takeOver(turn, TRIES_MOST);
        } else if (leads) {
            leads = false;
            log.leads(false);
            part.standBy();
        }
    }

    private void takeOver(long begun, int tries) {
        onDisk().compose(entries -> latestOf(read(entries), tries == 0).map(last -> new Last(last, entries)))
                .onComplete(
                        last -> {
                            if (begun == turn) {
                                lead(begun, last);
                            }
                        },
                        failed -> again(begun, tries, failed));
    }

    private record Last(Optional<UsageCheckpoint.Read> copied, Map<String, byte[]> onDisk) {}

    private void again(long begun, int tries, Throwable failed) {
        if (!(failed instanceof OthersMayCome)) {
            log.noCopies(failed);
        }
        int left = failed instanceof OthersMayCome ? tries : Math.max(0, tries - 1);
        vertx.setTimer(AGAIN_MS, timer -> {
            if (begun == turn) {
                takeOver(begun, left);
            }
        });
    }

    private static final class OthersMayCome extends RuntimeException {
        private static final long serialVersionUID = 1;

        OthersMayCome() {
            super("other processes may have a later checkpoint on their disks", null, false, false);
        }
    }

    private Future<Map<String, byte[]>> onDisk() {
        return vertx.executeBlocking(() -> outbox.checkpoints(UsageCheckpoint.PREFIX));
    }

    /** The latest checkpoint of another process, if it is later than the one on this disk. */
    private Future<Optional<UsageCheckpoint.Read>> latestOf(UsageCheckpoint.Read here, boolean withoutCopies) {
        if (withoutCopies) {
            return Future.succeededFuture(Optional.empty());
        }
        return replicator.find().compose(found -> {
            if (shared && !found.ofLeaders() && shell.clock().instant().isBefore(waitsUntil)) {
                return Future.failedFuture(new OthersMayCome());
            }
            return latest(found, here)
                    .map(author ->
                            replicator.checkpoint(author).map(Leader::read).map(Optional::of))
                    .orElseGet(() -> Future.succeededFuture(Optional.empty()));
        });
    }

    private static Optional<String> latest(Replicator.Found found, UsageCheckpoint.Read here) {
        var latest = here;
        var author = Optional.<String>empty();
        for (var clock : found.checkpoints().entrySet()) {
            var copied = read(Map.of(UsageCheckpoint.CLOCK, clock.getValue()));
            if (copied.isAfter(latest)) {
                latest = copied;
                author = Optional.of(clock.getKey());
            }
        }
        return author;
    }

    private static UsageCheckpoint.Read read(Map<String, byte[]> entries) {
        try {
            return UsageCheckpoint.read(entries);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable.getMessage(), unreadable);
        }
    }

    private void lead(long begun, Last last) {
        leads = true;
        var here = read(last.onDisk());
        replicator.begin();
        part.lead(last.copied().orElse(here), here.vms());
        if (shared) {
            log.leads(true);
        }
        first.ifPresent(Promise::tryComplete);
        takeWindows(begun);
    }

    /** Windows that other leaders copied, and whose sinks have not confirmed them, go to this process's outbox. */
    private void takeWindows(long begun) {
        replicator
                .windows()
                .compose(windows -> take(begun, windows.iterator()))
                .onFailure(failed -> vertx.setTimer(AGAIN_MS, timer -> {
                    if (begun == turn) {
                        takeWindows(begun);
                    }
                }));
    }

    private Future<Void> take(long begun, Iterator<String> left) {
        if (!left.hasNext() || begun != turn) {
            return Future.succeededFuture();
        }
        var key = left.next();
        return replicator
                .window(key)
                .compose(window ->
                        begun == turn && !window.isEmpty() ? part.take(key, window) : Future.succeededFuture())
                .compose(taken -> take(begun, left));
    }

    void close() {
        closed = true;
        turn++;
        watching.ifPresent(Peers.Watching::close);
    }
}
