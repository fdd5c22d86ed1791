package io.sluice.billing.outbox;

import io.sluice.shell.SqliteLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The directory of the outbox's file. It locks the directory, and opens the file whatever happened to it.
 *
 * <p>A file that must not be used any more is copied to a new file with the next number. That one gets its name when it
 * is complete and synced, so the file with the greatest number is always complete.
 */
final class OutboxDirectory implements AutoCloseable {
    private static final Pattern STORE = Pattern.compile("outbox-(\\d+)\\.db");
    private static final String LOG = "-wal";
    private static final String LOCK = "outbox.lock";
    private static final String NEW = "outbox.new";
    private static final String DAMAGED = "outbox.damaged";
    private static final String EARLIER = "outbox.mv";
    private static final String SPARE = "outbox.spare";
    private static final int SPARE_BYTES = 512 * 1024;

    private static final byte USED = 1;
    private static final byte DISTRUSTED = 2;

    private final Path directory;
    private final FileChannel lock;

    private OutboxDirectory(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * A file that was opened.
     *
     * @param file the file
     * @param finding what was wrong before
     */
    record Opened(OutboxFile file, Optional<OpeningFinding> finding) {}

    static OutboxDirectory lock(Path directory) throws IOException {
        Files.createDirectories(directory);
        var file = FileChannel.open(
                directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (file.tryLock() != null) {
                return new OutboxDirectory(directory, file);
            }
        } catch (OverlappingFileLockException ours) {
            // Locked by this process.
        }
        file.close();
        throw new IOException("the outbox in " + directory + " (billing.directory) is in use by another process:"
                + " each process needs a directory of its own");
    }

    /**
     * Opens the newest file, or creates one where none has existed.
     *
     * @param failed the open file, if the disk has failed under it
     */
    Opened open(Optional<OutboxFile> failed) throws IOException {
        SqliteLibrary.unpack(directory);
        delete(NEW);
        long newest = number(0);
        if (newest == 0) {
            if (mark() > 0) {
                throw new IOException("its file outbox-*.db is missing, although it existed");
            }
            if (Files.exists(directory.resolve(EARLIER))) {
                throw new IOException(
                        EARLIER + " was written by an earlier Sluice, which can still send what is in it");
            }
            newest = 1;
            begin();
        }
        for (long older = number(newest); older > 0; older = number(newest)) {
            delete(name(older));
        }
        mark(mark() == 0 ? USED : mark());
        var path = directory.resolve(name(newest));
        var file = failed.orElseGet(() -> OutboxFile.open(path));
        try {
            var damage = mark() == DISTRUSTED ? Optional.<String>empty() : file.damage();
            if (damage.isPresent() || mark() == DISTRUSTED) {
                return anew(file, newest, damage);
            }
            file.settle();
            return new Opened(file, Optional.empty());
        } catch (IOException | RuntimeException unusable) {
            if (failed.isEmpty()) {
                file.close();
            }
            throw unusable;
        }
    }

    private static String name(long number) {
        return "outbox-" + number + ".db";
    }

    /** Returns the greatest number of a file other than that one; 0 where there is none. */
    private long number(long other) throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> STORE.matcher(file.getFileName().toString()))
                    .filter(name -> name.matches())
                    .mapToLong(name -> Long.parseLong(name.group(1)))
                    .filter(number -> number != other)
                    .max()
                    .orElse(0);
        }
    }

    private void begin() throws IOException {
        OutboxFile.open(directory.resolve(NEW)).close();
        publish(1);
    }

    /** Copies everything that can be read to a new file, and closes the old one. */
    private Opened anew(OutboxFile old, long number, Optional<String> damage) throws IOException {
        if (damage.isPresent()) {
            keepAside(name(number));
        }
        RowCopy.Missing missing;
        try (var copy = OutboxFile.open(directory.resolve(NEW))) {
            missing = copy.change(() -> RowCopy.between(old, copy));
        } catch (OutboxException unwritten) {
            throw new IOException(
                    directory.resolve(name(number)) + " is damaged, and what is left of it could not be copied: "
                            + OutboxException.root(unwritten),
                    unwritten);
        }
        publish(number + 1);
        old.close();
        delete(name(number));
        mark(USED);
        boolean damaged = damage.isPresent()
                || missing.unreadable() > 0
                || !missing.setAside().isEmpty();
        var finding = damaged
                ? new OpeningFinding.Damaged(
                        damage.orElse("the disk had failed"),
                        missing.setAside(),
                        missing.unreadable(),
                        directory.resolve(DAMAGED).toString())
                : new OpeningFinding.WrittenAnew();
        return new Opened(OutboxFile.open(directory.resolve(name(number + 1))), Optional.of(finding));
    }

    private void publish(long number) throws IOException {
        Files.move(directory.resolve(NEW), directory.resolve(name(number)), StandardCopyOption.ATOMIC_MOVE);
        try (var entry = FileChannel.open(directory, StandardOpenOption.READ)) {
            entry.force(true);
        }
    }

    /** Keeps the damaged file under another name; only the last one is kept. */
    private void keepAside(String name) throws IOException {
        delete(DAMAGED);
        Files.copy(directory.resolve(name), directory.resolve(DAMAGED));
        if (Files.exists(directory.resolve(name + LOG))) {
            Files.copy(directory.resolve(name + LOG), directory.resolve(DAMAGED + LOG));
        }
    }

    private void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
        Files.deleteIfExists(directory.resolve(name + LOG));
    }

    /** Records a failure. After a failure of the disk the file is copied before it is used again, also after a kill. */
    void failed(Throwable failure) {
        try {
            if (OutboxFile.isDiskFailure(failure)) {
                mark(DISTRUSTED);
            }
            Files.deleteIfExists(directory.resolve(SPARE));
        } catch (IOException unwritable) {
            failure.addSuppressed(unwritable);
        }
    }

    private byte mark() throws IOException {
        var byteOfIt = ByteBuffer.allocate(1);
        return lock.read(byteOfIt, 0) == 1 ? byteOfIt.get(0) : 0;
    }

    private void mark(byte value) throws IOException {
        if (mark() != value) {
            lock.write(ByteBuffer.wrap(new byte[] {value}), 0);
            lock.force(false);
        }
    }

    /**
     * Whether the disk has room for more than removals. A removal is a write too, so some space is reserved for it, and
     * released when the disk is full.
     */
    boolean roomy() {
        var spare = directory.resolve(SPARE);
        try {
            if (Files.notExists(spare) || Files.size(spare) < SPARE_BYTES) {
                // Not zeros, for which some disks allocate no space.
                var bytes = new byte[SPARE_BYTES];
                Arrays.fill(bytes, (byte) 0x5a);
                Files.write(spare, bytes);
            }
            return true;
        } catch (IOException full) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
