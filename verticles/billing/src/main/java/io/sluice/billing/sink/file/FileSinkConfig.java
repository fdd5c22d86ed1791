package io.sluice.billing.sink.file;

import io.sluice.billing.sink.SinkRules;
import io.sluice.shell.config.ByteSize;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of events as lines of files on this machine. {@link #checked} validates them, because messages need the
 * section's name.
 *
 * @param directory the directory of the files; empty disables this sink
 * @param maxFileSize the largest size of a file, after which the next file begins
 * @param keepFiles the number of files that are kept; the oldest is deleted beyond
 * @param pushEvery the longest time that an event waits for its batch
 * @param maxBatchSize the most events that are written at once
 */
public record FileSinkConfig(
        String directory, @ByteSize long maxFileSize, int keepFiles, Duration pushEvery, int maxBatchSize) {
    /** The default: off; when on, 16 files of 64 MiB. */
    public static final FileSinkConfig DEFAULTS = new FileSinkConfig("", 1L << 26, 16, Duration.ofSeconds(10), 200);

    private static final long BYTES_LEAST = 1L << 12;
    private static final long BYTES_MOST = 1L << 40;
    private static final int FILES_MOST = 10_000;

    public FileSinkConfig {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(pushEvery, "pushEvery");
    }

    /** Returns the same config with another directory. */
    public FileSinkConfig in(String otherDirectory) {
        return new FileSinkConfig(otherDirectory, maxFileSize, keepFiles, pushEvery, maxBatchSize);
    }

    /** Whether this sink is switched on. */
    public boolean on() {
        return !directory.isBlank();
    }

    /**
     * Returns this config if it is valid.
     *
     * @param section section of the config, such as {@code billing.file}
     * @throws IllegalArgumentException with a message that names the key to change
     */
    public FileSinkConfig checked(String section) {
        var rules = new SinkRules(section);
        rules.size("maxFileSize", maxFileSize, BYTES_LEAST, BYTES_MOST);
        rules.between("keepFiles", keepFiles, 1, FILES_MOST);
        rules.pushEvery(pushEvery);
        rules.maxBatchSize(maxBatchSize);
        rules.path("directory", directory);
        return this;
    }
}
