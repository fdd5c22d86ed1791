package io.sluice.billing.sink;

import java.time.Duration;
import java.util.Objects;

/**
 * Events as lines of files on this machine. Whether it fits is checked by {@link #checked}, as only the owner knows the
 * section's name.
 *
 * @param directory where the files are; empty switches this off
 * @param maxFileBytes a file that would grow beyond this is followed by another
 * @param keepFiles how many files are kept; the oldest is deleted beyond
 * @param pushEvery how long an event waits for others at most
 * @param maxBatchSize how many events are written at once at most
 */
public record FileSinkConfig(String directory, long maxFileBytes, int keepFiles, Duration pushEvery, int maxBatchSize) {
    /** Off; when on, 16 files of 64 MiB. */
    public static final FileSinkConfig DEFAULTS = new FileSinkConfig("", 1L << 26, 16, Duration.ofSeconds(10), 200);

    private static final long BYTES_LEAST = 1L << 12;
    private static final long BYTES_MOST = 1L << 40;
    private static final int FILES_MOST = 10_000;

    public FileSinkConfig {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(pushEvery, "pushEvery");
    }

    /** The same into another directory. */
    public FileSinkConfig in(String otherDirectory) {
        return new FileSinkConfig(otherDirectory, maxFileBytes, keepFiles, pushEvery, maxBatchSize);
    }

    /** Whether events go this way. */
    public boolean on() {
        return !directory.isBlank();
    }

    /**
     * This config, if it can be worked by.
     *
     * @param section of the config, such as {@code billing.file}
     * @throws IllegalArgumentException with a sentence that names the key to change
     */
    public FileSinkConfig checked(String section) {
        var rules = new SinkRules(section);
        rules.between("maxFileBytes", maxFileBytes, BYTES_LEAST, BYTES_MOST);
        rules.between("keepFiles", keepFiles, 1, FILES_MOST);
        rules.pushEvery(pushEvery);
        rules.maxBatchSize(maxBatchSize);
        rules.path("directory", directory);
        return this;
    }
}
