package io.sluice.billing.sink.file;

import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.Sink;
import io.sluice.billing.sink.SinkException;
import io.sluice.shell.LogKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends batches to files on this machine, one event on each line. Each batch is written completely and once: if an
 * append was interrupted, the repeated batch completes it.
 *
 * <p>{@link #send} returns when the lines survive a power failure.
 */
public final class FileSink implements Sink {
    private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);
    private static final String LABEL = "file error";

    private final FileSinkConfig config;
    private final String section;
    private final EventKind kind;
    private final Runnable deleted;
    private final Disk disk;
    private final EventDirectory directory;
    private Optional<Uncertain> uncertain = Optional.empty();

    /** A failed append that could not be undone: what is beyond the length may or may not be on the disk. */
    private record Uncertain(Path file, long length) {}

    /**
     * Creates a sink for the directory in the config. It changes nothing before the first batch.
     *
     * @param section section of the config for error messages, such as {@code billing.file}
     */
    public FileSink(FileSinkConfig config, String section, EventKind kind) {
        this(config, section, kind, () -> {});
    }

    /** @param deleted called for each file that is deleted for newer ones */
    public FileSink(FileSinkConfig config, String section, EventKind kind, Runnable deleted) {
        this(config, section, kind, deleted, Disk.REAL);
    }

    FileSink(FileSinkConfig config, String section, EventKind kind, Runnable deleted, Disk disk) {
        this.deleted = deleted;
        this.config = config;
        this.section = section;
        this.kind = kind;
        this.disk = disk;
        this.directory = new EventDirectory(Path.of(config.directory()), kind, disk);
    }

    @Override
    public synchronized void send(Batch batch) throws SinkException {
        try {
            directory.open();
            resolve();
            keep(batch);
        } catch (IOException failure) {
            throw refused(failure);
        }
    }

    @Override
    public synchronized void close() {
        try {
            directory.close();
        } catch (IOException failure) {
            LOG.atWarn().setCause(failure).log("The lock of a directory of events could not be released.");
        }
    }

    private void keep(Batch batch) throws IOException {
        var lines = batch.body();
        var files = directory.files();
        int there = bytesThere(files, lines);
        var target = there > 0 ? lastWritten(files).orElseThrow() : fileFor(batch, lines, files);
        deleteBefore(target);
        append(target, lines, there);
    }

    /** Returns how many bytes of the lines are at the end already. Cuts off an incomplete line of another batch. */
    private int bytesThere(List<EventFile> files, byte[] lines) throws IOException {
        var last = lastWritten(files);
        if (last.isEmpty()) {
            return 0;
        }
        try (var file = opened(last.get().path())) {
            var end = new FileEnd(file);
            int there = end.bytesThere(lines);
            long whole = end.wholeLines();
            if (there > 0 || whole == file.size()) {
                return there;
            }
            LOG.atWarn()
                    .addKeyValue(LogKeys.KIND, kind.word())
                    .addKeyValue(LogKeys.COUNT, file.size() - whole)
                    .addKeyValue(
                            LogKeys.REASON, "the last line of " + last.get().path() + " has no line break")
                    .log("Bytes of an incomplete event were cut off.");
            disk.cut(file, whole);
            disk.sync(file);
            return end.bytesThere(lines);
        }
    }

    /** An empty file may follow it, if the process ended after creating that file. */
    private static Optional<EventFile> lastWritten(List<EventFile> files) throws IOException {
        for (var file : files.reversed()) {
            if (Files.size(file.path()) > 0) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    private EventFile fileFor(Batch batch, byte[] lines, List<EventFile> files) throws IOException {
        var last = files.isEmpty() ? Optional.<EventFile>empty() : Optional.of(files.getLast());
        if (last.isPresent()) {
            long size = Files.size(last.get().path());
            if (size == 0 || size + lines.length <= config.maxFileSize()) {
                return last.get();
            }
        }
        return directory.create(batch.closedAt(), last);
    }

    private void append(EventFile target, byte[] lines, int from) throws IOException {
        try (var file = opened(target.path())) {
            long size = file.size();
            try {
                file.position(size);
                disk.write(file, ByteBuffer.wrap(lines, from, lines.length - from));
                disk.sync(file);
            } catch (IOException failure) {
                takeBack(file, new Uncertain(target.path(), size - from));
                throw failure;
            }
        }
    }

    /**
     * Removes the whole batch, with the part that was there before. After a failed sync it is unknown what is on the
     * disk, and a second sync does not report it either.
     */
    private void takeBack(FileChannel file, Uncertain failed) {
        try {
            disk.cut(file, failed.length());
        } catch (IOException stuck) {
            uncertain = Optional.of(failed);
        }
    }

    private void resolve() throws IOException {
        if (uncertain.isPresent()) {
            var failed = uncertain.get();
            if (Files.exists(failed.file())) {
                try (var file = opened(failed.file())) {
                    disk.cut(file, failed.length());
                }
            }
            uncertain = Optional.empty();
        }
    }

    /** Deletes before the append, which may need the space. */
    private void deleteBefore(EventFile target) throws IOException {
        var files = directory.files();
        for (var oldest : files.subList(0, Math.max(0, files.size() - config.keepFiles()))) {
            if (oldest.number() < target.number()) {
                delete(oldest.path());
            }
        }
    }

    private void delete(Path oldest) throws IOException {
        if (Files.deleteIfExists(oldest)) {
            deleted.run();
            LOG.atWarn()
                    .addKeyValue(LogKeys.KIND, kind.word())
                    .addKeyValue(LogKeys.KEY, section + ".keepFiles")
                    .addKeyValue(LogKeys.REASON, oldest + " was the oldest of more than " + config.keepFiles())
                    .log("A file of events was deleted, because newer files replaced it.");
        }
    }

    private SinkException refused(IOException failure) {
        return new SinkException(
                LABEL, section + ".directory=" + config.directory() + " cannot be written: " + failure, failure);
    }

    private static FileChannel opened(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
}
