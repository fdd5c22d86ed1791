package io.sluice.billing.sink.file;

import io.sluice.billing.sink.EventKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The files with one kind of events in a directory. One sink of one process writes to them. They are for their owner
 * alone.
 */
final class EventDirectory implements AutoCloseable {
    private static final FileAttribute<?> OWNERS_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> OWNERS_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path directory;
    private final EventKind kind;
    private final Disk disk;
    private FileChannel lock;

    EventDirectory(Path directory, EventKind kind, Disk disk) {
        this.directory = directory;
        this.kind = kind;
        this.disk = disk;
    }

    /** Returns the files of a directory, oldest first; none where there is no directory. */
    static List<EventFile> files(Path directory, EventKind kind) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.flatMap(entry -> EventFile.of(kind, entry).stream())
                    .sorted(EventFile.ORDER)
                    .toList();
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (UncheckedIOException broken) {
            throw broken.getCause();
        }
    }

    /** Creates the directory if it is missing, and locks it against other sinks. */
    void open() throws IOException {
        var lockFile = directory.resolve("." + EventFile.word(kind) + ".lock");
        if (lock != null && Files.exists(lockFile)) {
            return;
        }
        close();
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new NotDirectoryException(directory.toString());
        }
        Files.createDirectories(directory, OWNERS_DIRECTORY);
        var opened =
                FileChannel.open(lockFile, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OWNERS_FILE);
        if (!taken(opened)) {
            opened.close();
            throw new FileSystemException(lockFile.toString(), null, "another sink writes there");
        }
        lock = opened;
    }

    /** Returns the files, oldest first. */
    List<EventFile> files() throws IOException {
        return files(directory, kind);
    }

    /** Creates the next file, which is empty. */
    EventFile create(Instant begun, Optional<EventFile> last) throws IOException {
        var next = EventFile.named(
                kind, directory, begun, last.map(EventFile::number).orElse(0L) + 1);
        FileChannel.open(next.path(), Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNERS_FILE)
                .close();
        disk.syncDirectory(directory);
        return next;
    }

    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.close();
            lock = null;
        }
    }

    private static boolean taken(FileChannel opened) throws IOException {
        try {
            return opened.tryLock() != null;
        } catch (OverlappingFileLockException ours) {
            return false;
        }
    }
}
