package io.sluice.billing.outbox;

import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.QueueId;
import io.sluice.shell.Backoff;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Stores events on disk until a sink has accepted them. What was accepted survives the process and the machine.
 *
 * <p>All methods block on the disk, so they are never called from an event loop. Any thread may call them. None of
 * these threads may be interrupted, because an interrupt closes the file. After a failure everything is read again from
 * the file, and the caller repeats its call unchanged.
 */
public final class Outbox implements AutoCloseable {
    private static final Backoff RETRIES = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(30));

    private final OutboxDirectory directory;
    private final List<QueueSpec> queues;
    private final OutboxListener listener;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final ReentrantLock turn = new ReentrantLock(true);
    private Optional<OutboxStore> open = Optional.empty();
    private boolean working;
    private boolean closed;
    private final Backoff.Failures failures;
    private Instant retryAt = Instant.MIN;
    private volatile Map<QueueId, QueueView> views = Map.of();
    private volatile long fileBytes;

    private Outbox(OutboxDirectory directory, OutboxSettings settings, OutboxListener listener) {
        this.directory = directory;
        this.listener = listener;
        queues = settings.queues();
        clock = settings.clock();
        random = settings.random();
        failures = RETRIES.failures(random);
    }

    /**
     * Opens the outbox of a directory, and locks the directory.
     *
     * @throws IOException if another process has locked it, or its file cannot be read; the message contains what to do
     */
    public static Outbox open(Path directory, OutboxSettings settings, OutboxListener listener) throws IOException {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(listener, "listener");
        var outbox = new Outbox(OutboxDirectory.lock(directory), settings, listener);
        try {
            outbox.reopen();
            return outbox;
        } catch (IOException | RuntimeException unreadable) {
            outbox.close();
            throw new IOException(
                    "the outbox in " + directory + " (billing.directory) cannot be opened: "
                            + OutboxException.root(unreadable)
                            + ". Starting with an empty outbox would lose its events, so that is not done: free disk"
                            + " space, or restore the directory, or move it away to start with an empty one",
                    unreadable);
        }
    }

    /** Makes the whole write durable; changes nothing where there is no room. */
    public WriteResult accept(OutboxWrite offer, Instant now) {
        offer.events().keySet().forEach(this::known);
        return with(store -> store.accept(offer, now, directory::roomy));
    }

    /** Returns the number of the source's last durable write; 0 where there was none. */
    public long lastOffer(String source) {
        return with(store -> store.lastWrite(source));
    }

    /** Returns the checkpoint entries with a prefix, as the last durable write left them. */
    public Map<String, byte[]> checkpoints(String prefix) {
        return with(store -> store.checkpoints(prefix));
    }

    /** Closes the queue's open batch; false if that is empty. */
    public boolean closeOpen(QueueId queue, Instant now) {
        known(queue);
        return with(store -> store.closeOpen(queue, now));
    }

    /** Returns the next batch to send. */
    public Optional<Batch> head(QueueId queue) {
        known(queue);
        return with(store -> store.head(queue));
    }

    /** Makes two batches of one that is refused as a whole, with the same events; false if it cannot be divided. */
    public boolean divide(QueueId queue, long batch) {
        known(queue);
        return with(store -> store.divide(queue, batch));
    }

    /** Removes a batch that its sink has accepted; false if it is already removed. */
    public boolean taken(QueueId queue, long batch) {
        known(queue);
        return with(store -> store.taken(queue, batch));
    }

    /** Returns the state of a queue after the last change. Does not block. */
    public QueueView view(QueueId queue) {
        return views.getOrDefault(queue, QueueView.EMPTY);
    }

    /** Returns the file's size in bytes after the last change. Does not block. */
    public long fileBytes() {
        return fileBytes;
    }

    @Override
    public void close() throws IOException {
        turn.lock();
        try {
            closed = true;
            abandon();
        } finally {
            turn.unlock();
            directory.close();
        }
    }

    private void known(QueueId queue) {
        if (queues.stream().noneMatch(it -> it.id().equals(queue))) {
            throw new IllegalArgumentException("the outbox has no queue " + queue.label());
        }
    }

    private <T> T with(Function<OutboxStore, T> call) {
        turn.lock();
        try {
            var store = usable();
            try {
                var result = call.apply(store);
                look(store);
                return result;
            } catch (RuntimeException | Error failed) {
                throw down(failed);
            }
        } finally {
            turn.unlock();
        }
    }

    private OutboxStore usable() {
        if (closed) {
            throw new OutboxException("the outbox is closed");
        }
        if (working) {
            return open.orElseThrow();
        }
        if (clock.instant().isBefore(retryAt)) {
            throw new OutboxException("the outbox cannot be used; the next attempt to open it is at " + retryAt);
        }
        try {
            reopen();
            // A disk that can be read may still fail to write.
            open.orElseThrow().prove();
        } catch (IOException | RuntimeException again) {
            throw down(again);
        }
        failures.reset();
        listener.works();
        return open.orElseThrow();
    }

    /** After a failure of the disk the file stays open, because what it still knows is copied to a new file. */
    private OutboxException down(Throwable failure) {
        working = false;
        directory.failed(failure);
        if (!OutboxFile.isDiskFailure(failure)) {
            abandon();
        }
        var wait = Duration.ofMillis(failures.nextMs());
        retryAt = clock.instant().plus(wait);
        listener.failed(failure, wait);
        return new OutboxException("the outbox failed", failure);
    }

    private void abandon() {
        try {
            open.ifPresent(store -> store.file().close());
        } catch (OutboxException unclean) {
            // Only closed to be opened again, which reports what is wrong.
        }
        open = Optional.empty();
    }

    private void reopen() throws IOException {
        var opened = directory.open(open.map(OutboxStore::file));
        var store = new OutboxStore(opened.file(), queues, random);
        open = Optional.of(store);
        opened.finding().ifPresent(listener::found);
        if (opened.finding().orElse(null) instanceof OpeningFinding.Damaged damage) {
            store.quarantined(damage.setAside());
        }
        orphans(store);
        look(store);
        working = true;
    }

    private void orphans(OutboxStore store) {
        var wanted = queues.stream().map(queue -> queue.id().label()).toList();
        store.waiting().forEach((queue, events) -> {
            if (events > 0 && !wanted.contains(queue)) {
                listener.orphaned(queue, events);
            }
        });
    }

    private void look(OutboxStore store) {
        var now = new HashMap<QueueId, QueueView>();
        queues.forEach(queue -> now.put(queue.id(), store.view(queue.id())));
        views = now;
        fileBytes = store.file().bytes();
    }
}
