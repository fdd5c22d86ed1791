package io.sluice.billing;

import io.sluice.billing.replica.Replicator;
import io.sluice.billing.sink.EventKind;
import io.sluice.shell.OnContext;
import io.sluice.shell.Peer;
import io.sluice.shell.Peers;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides whether this process leads, and reads what the leader before it left. Of several processes with the role the
 * oldest leads, so that a process that joins never takes the lead from one that has received everything. All methods
 * run on one context.
 */
final class Leader {
    /** The part of this process that bills. */
    interface Part {
        /** Begins to bill. */
        void lead(TakeOver from);

        /** Bills nothing from now on. */
        void standBy();

        /**
         * Removes entries of the checkpoint from the outbox, unless another write is unfinished.
         *
         * @param durable called once they are removed
         */
        void remove(Set<String> entries, Runnable durable);

        /** Writes a window of another process to the outbox; the future succeeds once it is durable. */
        Future<Void> take(String key, Map<EventKind, List<byte[]>> window);
    }

    private static final String ROLE = "billing";

    /** After a restart of all processes, any of them may have the latest checkpoint on its disk. */
    private static final Duration DISKS_WAIT = Duration.ofSeconds(15);

    private static final long AGAIN_MS = 500;

    /** After that time another process has billed, whether or not its copies can be read. */
    private static final Duration OTHER_BILLS = Duration.ofMinutes(10);

    /** If the copies cannot be read so many times, billing goes on from this process's disk. */
    private static final int TRIES_MOST = 20;

    private final Vertx vertx;
    private final Peers peers;
    private final boolean shared;
    private final Replicator replicator;
    private final Function<String, Future<Map<String, byte[]>>> disk;
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

    /** When this process became the oldest, or stopped to be. */
    private Instant changedAt;

    private boolean checksDisk;

    /** Another process has billed after the checkpoint on this disk, which is being removed. */
    private boolean outdated;

    /**
     * Creates it without a lead.
     *
     * @param shared whether other processes may lead
     * @param disk reads the entries with a prefix of the checkpoint on this disk
     */
    Leader(
            Vertx vertx,
            Shell shell,
            boolean shared,
            Replicator replicator,
            Function<String, Future<Map<String, byte[]>>> disk,
            Part part,
            BillingLog log) {
        this.vertx = vertx;
        this.shell = shell;
        this.peers = shell.peers();
        this.shared = shared;
        this.replicator = replicator;
        this.disk = disk;
        this.part = part;
        this.log = log;
        this.changedAt = shell.clock().instant();
        this.waitsUntil = changedAt.plus(DISKS_WAIT);
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
        checksDisk = true;
        return offerDisk().transform(offered -> {
            checksDisk = false;
            weigh();
            return Future.succeededFuture();
        });
    }

    private Future<Void> offerDisk() {
        return disk.apply(UsageCheckpoint.PREFIX)
                .compose(entries -> replicator.findOthers().compose(found -> {
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
            checkDisk();
            return;
        }
        mine = now;
        turn++;
        changedAt = shell.clock().instant();
        if (mine) {
            takeOver(turn, TRIES_MOST);
        } else if (leads) {
            leads = false;
            outdated = false;
            log.leads(false);
            part.standBy();
        }
    }

    /** A checkpoint after which another process has billed is never continued, so it is removed. */
    private void checkDisk() {
        if (mine || closed || checksDisk || elsewhere().isEmpty()) {
            return;
        }
        checksDisk = true;
        disk.apply(UsageCheckpoint.CLOCK)
                .map(Leader::read)
                .compose(here -> here.receivedUntil().isEmpty() ? Future.succeededFuture(false) : hasOtherBilled(here))
                .compose(billed ->
                        billed ? disk.apply(UsageCheckpoint.PREFIX) : Future.succeededFuture(Map.<String, byte[]>of()))
                .onComplete(entries -> {
                    checksDisk = false;
                    if (entries.succeeded() && !entries.result().isEmpty() && !mine) {
                        outdate(entries.result().keySet());
                    }
                });
    }

    private Future<Boolean> hasOtherBilled(UsageCheckpoint.Read here) {
        boolean isLong = shell.clock().instant().isAfter(changedAt.plus(OTHER_BILLS));
        return replicator
                .findOthers()
                .transform(found -> Future.succeededFuture(isLong
                        || found.succeeded() && latest(found.result(), here).isPresent()));
    }

    private void outdate(Set<String> entries) {
        outdated = true;
        part.remove(entries, () -> {
            outdated = false;
            log.outdated();
            replicator.withdraw();
        });
    }

    private void takeOver(long begun, int tries) {
        disk.apply(UsageCheckpoint.PREFIX)
                .map(entries -> new Last(Optional.empty(), read(entries), entries.keySet(), outdated, tries == 0))
                .recover(failed -> Future.failedFuture(new DiskUnread(failed)))
                .compose(this::withLatest)
                .onComplete(
                        last -> {
                            if (begun == turn) {
                                lead(begun, last);
                            }
                        },
                        failed -> again(begun, tries, failed));
    }

    /**
     * What there is to continue from.
     *
     * @param copied the checkpoint of another process, if it is later
     * @param onDisk the checkpoint on this disk
     * @param entries the names of its entries
     * @param isOutdated whether the checkpoint on this disk is not to be continued
     * @param isUncertain whether the copies could not be read
     */
    private record Last(
            Optional<UsageCheckpoint.Read> copied,
            UsageCheckpoint.Read onDisk,
            Set<String> entries,
            boolean isOutdated,
            boolean isUncertain) {
        UsageCheckpoint.Read here() {
            return isOutdated ? UsageCheckpoint.Read.NOTHING : onDisk;
        }
    }

    private void again(long begun, int tries, Throwable failed) {
        if (!(failed instanceof OthersMayCome)) {
            log.noCopies(failed);
        }
        int left = failed instanceof OthersMayCome || failed instanceof DiskUnread ? tries : Math.max(0, tries - 1);
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

    /** However often this disk cannot be read, another process's checkpoint may be the later one. */
    private static final class DiskUnread extends RuntimeException {
        private static final long serialVersionUID = 1;

        DiskUnread(Throwable failed) {
            super("the checkpoint on this disk: " + failed.getMessage(), failed, false, false);
        }
    }

    private Future<Last> withLatest(Last last) {
        if (last.isUncertain()) {
            log.withoutCopies();
            return Future.succeededFuture(last);
        }
        return latestOf(last.here())
                .map(copied -> new Last(copied, last.onDisk(), last.entries(), last.isOutdated(), false));
    }

    /** The latest checkpoint of another process, if it is later than the one on this disk. */
    private Future<Optional<UsageCheckpoint.Read>> latestOf(UsageCheckpoint.Read here) {
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
        replicator.begin();
        var took = Duration.between(changedAt, shell.clock().instant());
        part.lead(
                new TakeOver(last.copied().orElseGet(last::here), last.onDisk().vms(), last.isUncertain(), took));
        if (last.copied().isPresent() && last.onDisk().receivedUntil().isPresent()) {
            part.remove(last.entries(), () -> {});
        }
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
                .recover(this::without)
                .compose(window ->
                        begun == turn && !window.isEmpty() ? part.take(key, window) : Future.succeededFuture())
                .compose(taken -> take(begun, left));
    }

    /** A window that cannot be read keeps its copy for a later version, and holds up no other. */
    private Future<Map<EventKind, List<byte[]>>> without(Throwable failed) {
        if (!(failed instanceof UncheckedIOException)) {
            return Future.failedFuture(failed);
        }
        log.unreadable(failed);
        return Future.succeededFuture(Map.of());
    }

    void close() {
        closed = true;
        turn++;
        watching.ifPresent(Peers.Watching::close);
    }
}
