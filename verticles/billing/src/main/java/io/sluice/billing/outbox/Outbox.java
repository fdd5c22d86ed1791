package io.sluice.billing.outbox;

import io.sluice.billing.outbox.file.OpeningFinding;
import io.sluice.billing.outbox.file.StoreDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Where events wait until a sink has them, on disk: what was accepted survives the process and the machine.
 *
 * <p>All of it waits for the disk, so it is never called from an event loop. Any thread may call it; none of them may
 * be interrupted, as that closes the file. After a failure everything is read again from the file; whoever heard of the
 * failure asks again, with the same.
 */
public final class Outbox implements AutoCloseable {
    private static final String LOCK = "outbox.lock";
    private static final Duration FIRST_WAIT = Duration.ofMillis(250);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final StoreDirectory directory;
    private final List<QueueSpec> lanes;
    private final OutboxListener listener;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final FileChannel lockFile;
    private final ReentrantLock turn = new ReentrantLock(true);
    private Optional<OutboxStore> open = Optional.empty();
    private boolean closed;
    private Duration wait = Duration.ZERO;
    private Instant retryAt = Instant.MIN;
    private volatile Map<QueueId, QueueView> views = Map.of();
    private volatile long fileBytes;

    private Outbox(StoreDirectory directory, FileChannel lockFile, OutboxSettings terms, OutboxListener listener) {
        this.directory = directory;
        this.lockFile = lockFile;
        this.listener = listener;
        lanes = terms.lanes();
        clock = terms.clock();
        random = terms.random();
    }

    /**
     * Opens the outbox of that directory, which it has to itself from then on.
     *
     * @throws IOException when another process has it, or when what is there cannot be read; says what to do
     */
    public static Outbox open(Path directory, OutboxSettings terms, OutboxListener listener) throws IOException {
        return open(directory, "", terms, listener);
    }

    static Outbox open(Path directory, String scheme, OutboxSettings terms, OutboxListener listener)
            throws IOException {
        Objects.requireNonNull(terms, "terms");
        Objects.requireNonNull(listener, "listener");
        var lockFile = lock(directory);
        var outbox = new Outbox(new StoreDirectory(directory, scheme, terms.random()), lockFile, terms, listener);
        try {
            outbox.reopen();
            return outbox;
        } catch (IOException | RuntimeException unreadable) {
            outbox.open.ifPresent(OutboxStore::abandon);
            lockFile.close();
            throw new IOException(
                    "the outbox in " + directory + " (billing.directory) cannot be opened: " + unreadable.getMessage()
                            + ". Its events would be lost with it, so nothing begins anew by itself: give the disk"
                            + " room or restore the directory, or move it away to begin with an empty one",
                    unreadable);
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        Files.createDirectories(directory);
        var file = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Optional<FileLock> lock;
        try {
            lock = Optional.ofNullable(file.tryLock());
        } catch (OverlappingFileLockException ours) {
            lock = Optional.empty();
        }
        if (lock.isEmpty()) {
            file.close();
            throw new IOException("the outbox in " + directory + " (billing.directory) is in use by another process:"
                    + " each process needs a directory of its own");
        }
        return file;
    }

    /** Makes the offer durable, all of it; nothing changes where there is no room. */
    public WriteResult accept(OutboxWrite offer, Instant now) {
        offer.events().keySet().forEach(this::known);
        return with(shelves -> shelves.accept(offer, now, directory::roomy));
    }

    /** The number of that source's last offer that is durable; 0 where there was none. */
    public long lastOffer(String source) {
        return with(shelves -> shelves.lastOffer(source));
    }

    /** The notes whose names begin so, as the last durable offer left them. */
    public Map<String, byte[]> notes(String prefix) {
        return with(shelves -> shelves.notes(prefix));
    }

    /** Closes the lane's open batch, if there is anything in it. */
    public boolean closeOpen(QueueId lane, Instant now) {
        known(lane);
        return with(shelves -> shelves.closeOpen(lane, now));
    }

    /** The batch that is to be sent next. */
    public Optional<Batch> head(QueueId lane) {
        known(lane);
        return with(shelves -> shelves.head(lane));
    }

    /** Removes a batch that its sink has; one that is not there any more is no matter. */
    public boolean taken(QueueId lane, long batch) {
        known(lane);
        return with(shelves -> shelves.taken(lane, batch));
    }

    /** How a lane stood after the last change. Does not wait. */
    public QueueView view(QueueId lane) {
        return views.getOrDefault(lane, QueueView.EMPTY);
    }

    /** How long the file was after the last change. Does not wait. */
    public long fileBytes() {
        return fileBytes;
    }

    @Override
    public void close() throws IOException {
        turn.lock();
        try {
            closed = true;
            open.ifPresent(OutboxStore::close);
            open = Optional.empty();
        } catch (RuntimeException unclean) {
            open.ifPresent(OutboxStore::abandon);
            throw new OutboxException("the outbox was not closed as it should be: what was accepted is there", unclean);
        } finally {
            turn.unlock();
            lockFile.close();
        }
    }

    private void known(QueueId lane) {
        if (lanes.stream().noneMatch(it -> it.id().equals(lane))) {
            throw new IllegalArgumentException("the outbox has no lane " + lane.label());
        }
    }

    private <T> T with(Function<OutboxStore, T> deed) {
        turn.lock();
        try {
            var shelves = usable();
            try {
                var result = deed.apply(shelves);
                look(shelves);
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
        if (open.isPresent()) {
            return open.get();
        }
        if (clock.instant().isBefore(retryAt)) {
            throw new OutboxException("the outbox cannot be used; it is opened again at " + retryAt);
        }
        try {
            reopen();
            // A disk that can be read is not yet one that can be written to.
            open.orElseThrow().prove();
        } catch (IOException | RuntimeException again) {
            throw down(again);
        }
        wait = Duration.ZERO;
        listener.works();
        return open.orElseThrow();
    }

    private OutboxException down(Throwable failure) {
        open.ifPresent(OutboxStore::abandon);
        open = Optional.empty();
        directory.failed(failure);
        wait = wait.isZero() ? FIRST_WAIT : shorter(wait.multipliedBy(2), LONGEST_WAIT);
        retryAt = clock.instant().plus(wait);
        listener.failed(failure, wait);
        return new OutboxException("the outbox failed", failure);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void reopen() throws IOException {
        var opened = directory.open(QueueCounts::new);
        var shelves = new OutboxStore(opened.file(), opened.census(), lanes, random);
        open = Optional.of(shelves);
        opened.finding().ifPresent(listener::found);
        if (opened.finding().orElse(null) instanceof OpeningFinding.Damaged damage) {
            shelves.quarantined(damage);
        }
        orphans(opened.census());
        look(shelves);
    }

    private void orphans(QueueCounts inventory) {
        var wanted = new HashSet<String>();
        lanes.forEach(lane -> wanted.add(lane.id().label()));
        inventory.entriesByLane().forEach((lane, entries) -> {
            if (entries > 0 && !wanted.contains(lane)) {
                listener.orphaned(lane, entries);
            }
        });
    }

    private void look(OutboxStore shelves) {
        views = shelves.views();
        fileBytes = shelves.fileBytes();
    }
}
